import { describe, expect, it } from '@jest/globals';
import { LineReader, TOO_LONG, type Line } from '../../../../../lib/server/transport/stdio/lines.js';

function readAll(chunks: readonly (Buffer | string)[], longest = 1000): Line[] {
  const reader = new LineReader(longest);
  const lines = chunks.flatMap((chunk) => [...reader.read(Buffer.from(chunk))]);
  const last = reader.end();
  return last === undefined ? lines : [...lines, last];
}

/** Cuts bytes into chunks of one length. */
function cut(text: string, length: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );
}

describe('LineReader (MCP basic/transports, "stdio")', () => {
  it.each([1, 2, 3, 4, 5, 7, 11, 100])(
    'gives the same lines when they come %i bytes at a time, characters cut in two (STDIO-01)',
    (length) => {
      expect(readAll(cut('{"a":"ä€😀"}\n"ß"\n\n{"b":"日本"}\n', length))).toEqual([
        '{"a":"ä€😀"}',
        '"ß"',
        '{"b":"日本"}',
      ]);
    },
  );

  it('takes lines that end as on Windows: JSON ignores what stays of the end (STDIO-01)', () => {
    const lines = readAll(['{"a":1}\r\n\r\n{"b":2}\r\n']);
    expect(lines.map((line) => JSON.parse(String(line)))).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('leaves blank lines out (STDIO-01)', () => {
    expect(readAll(['\n \n\t\r\n', '\n', '1\n\n'])).toEqual(['1']);
  });

  it('gives a last line that has no end, and nothing where there is none (STDIO-02)', () => {
    expect(readAll(['{"a":', '1}'])).toEqual(['{"a":1}']);
    expect(readAll([])).toEqual([]);
    expect(readAll(['1\n'])).toEqual(['1']);
  });

  it('takes a line that is as long as lines may be, and skips one that is longer, in one chunk or many (STDIO-02)', () => {
    for (const length of [1, 3, 64]) {
      expect(readAll(cut('12345678\n123456789\n1\n', length), 8)).toEqual(['12345678', TOO_LONG, '1']);
    }
  });

  it('counts bytes, not characters (STDIO-02)', () => {
    expect(readAll(['€€\n€€€\n'], 6)).toEqual(['€€', TOO_LONG]);
  });

  it('tells of a last line that is too long (STDIO-02)', () => {
    expect(readAll(['1\n', '12345', '67890'], 8)).toEqual(['1', TOO_LONG]);
  });

  it('gives lines one by one, so that whoever takes them can wait between two (STDIO-01)', () => {
    const reader = new LineReader(100);
    const lines = reader.read(Buffer.from('1\n2\n3'));
    expect(lines.next().value).toBe('1');
    expect(lines.next().value).toBe('2');
    expect(lines.next().done).toBe(true);
    expect([...reader.read(Buffer.from('4\n'))]).toEqual(['34']);
  });

  it('keeps nothing of a line that it skips, and no more than a line of one that has not ended (STDIO-02)', () => {
    const reader = new LineReader(1_048_576);
    const chunk = Buffer.alloc(65_536, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 4096; count++) expect([...reader.read(chunk)]).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1_048_576);
    expect([...reader.read(Buffer.from('\n1\n'))]).toEqual([TOO_LONG, '1']);
  });

  it('is quick with a long line that comes a byte at a time (STDIO-02)', () => {
    const reader = new LineReader(4 * 1_048_576);
    const byte = Buffer.from('x');
    const begin = performance.now();
    for (let count = 0; count < 1_048_576; count++) reader.read(byte).next();
    expect(reader.end()).toHaveLength(1_048_576);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });
});
