import { describe, expect, it } from '@jest/globals';
import { findHeader, RawAnswerReader, type RawResponse } from '../../../../cli/bench/wire/raw-response.js';

const LENGTH = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKS =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;name=value\r\nlo\r\n0\r\nTrailer: x\r\n\r\n';

/** Reads a text in pieces, and gives each whole answer. */
function readPieces(text: string, size: number): RawResponse[] {
  const reader = new RawAnswerReader();
  const bytes = Buffer.from(text);
  const answers: RawResponse[] = [];
  for (let start = 0; start < bytes.length; start += size) {
    const answer = reader.read(bytes.subarray(start, start + size));
    if (answer !== undefined) answers.push(answer);
  }
  return answers;
}

describe('RawAnswerReader', () => {
  it.each([1, 2, 7, 1000])('reads answers with a length and in chunks, in pieces of %d bytes', (size) => {
    for (const text of [LENGTH, CHUNKS]) {
      const answers = readPieces(text, size);
      expect(answers.map(({ status, body }) => [status, body.toString()])).toEqual([[200, 'hello']]);
    }
  });

  it('reads one answer after the other', () => {
    const reader = new RawAnswerReader();
    const bodies = [LENGTH, CHUNKS, LENGTH].map((text) => reader.read(Buffer.from(text))?.body.toString());
    expect(bodies).toEqual(['hello', 'hello', 'hello']);
  });

  it('reads an answer that ends with the connection', () => {
    const reader = new RawAnswerReader();
    expect(reader.read(Buffer.from('HTTP/1.1 200 OK\r\n\r\nhel'))).toBeUndefined();
    expect(reader.read(Buffer.from('lo'))).toBeUndefined();
    expect(reader.finish()?.body.toString()).toBe('hello');
  });

  it('gives nothing of an answer that was cut off', () => {
    const reader = new RawAnswerReader();
    reader.read(Buffer.from(LENGTH.slice(0, -1)));
    expect(reader.finish()).toBeUndefined();
  });

  it('reads answers without a body, and leaves out what comes before the final one', () => {
    const reader = new RawAnswerReader();
    const text = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nX-Id: 7\r\n\r\n';
    const answer = reader.read(Buffer.from(text));
    expect([answer?.status, answer?.body.length]).toEqual([204, 0]);
    expect(findHeader(answer?.head ?? '', 'x-id')).toBe('7');
  });

  it.each(['SSH-2.0-OpenSSH\r\n\r\n', 'HTTP/2 200\r\n\r\n'])('refuses what is no HTTP/1.1: %j', (text) => {
    expect(() => new RawAnswerReader().read(Buffer.from(text))).toThrow('does not speak HTTP/1.1');
  });

  it.each(['hello', '-6', '0x5', ''])('refuses a chunk without a size: %j', (size) => {
    const text = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n`;
    expect(() => new RawAnswerReader().read(Buffer.from(text))).toThrow('a chunk has no size');
  });

  it('refuses a head and a body that are longer than any', () => {
    const reader = new RawAnswerReader();
    expect(() => reader.read(Buffer.alloc(70_000, 'a'))).toThrow('does not speak HTTP/1.1');
    const long = new RawAnswerReader();
    long.read(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'));
    expect(() => long.read(Buffer.alloc(17 * 1024 * 1024))).toThrow('more than 16 MB');
  });
});
