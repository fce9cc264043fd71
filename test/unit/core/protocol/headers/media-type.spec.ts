import { describe, expect, it } from '@jest/globals';
import {
  isMediaType,
  namesEventStream,
  parseAccept,
} from '../../../../../lib/core/protocol/headers/http-headers.js';
import { growthOf, LINEAR } from '../growth.js';
import { HARD_CHARACTERS, Random } from '../random.js';

const BOTH = { json: true, eventStream: true };
const JSON_ALONE = { json: true, eventStream: false };
const STREAM_ALONE = { json: false, eventStream: true };
const NEITHER = { json: false, eventStream: false };

describe('The Accept header (RFC 9110 §12.5.1)', () => {
  it.each([
    [undefined, BOTH],
    ['', BOTH],
    [' , ,', BOTH],
    ['application/json, text/event-stream', BOTH],
    ['text/event-stream, application/json', BOTH],
    ['text/event-stream,application/json', BOTH],
    ['APPLICATION/JSON, Text/Event-Stream', BOTH],
    ['application/json ;q=0.9 , text/event-stream; q=0.1', BOTH],
    ['*/*', BOTH],
    ['text/html, */*;q=0.8', BOTH],
    ['application/*, text/*', BOTH],
    ['application/json', JSON_ALONE],
    ['application/*', JSON_ALONE],
    ['application/json; charset=utf-8', JSON_ALONE],
    ['application/json, text/event-stream;q=0', JSON_ALONE],
    ['*/*, text/event-stream; Q=0.000', JSON_ALONE],
    ['*/*, text/*;q=0', JSON_ALONE],
    ['text/event-stream', STREAM_ALONE],
    ['text/*', STREAM_ALONE],
    ['text/plain, text/event-stream', STREAM_ALONE],
    ['*/*;q=0, text/event-stream', STREAM_ALONE],
    ['text/*;q=0, text/event-stream;q=0.001', STREAM_ALONE],
    ['text/html', NEITHER],
    ['*/*;q=0', NEITHER],
    ['application/json5, text/event-streams', NEITHER],
    ['application/problem+json', NEITHER],
    ['json', NEITHER],
  ])('%j takes %j (HTTP-02)', (header, accepted) => {
    expect(parseAccept(header)).toEqual(accepted);
  });

  it('is not misled by what stands in quotes (HTTP-02)', () => {
    expect(parseAccept('text/html;note="a, application/json, b"')).toEqual(NEITHER);
    expect(parseAccept('text/html;note="\\", text/event-stream", application/json')).toEqual(JSON_ALONE);
    expect(parseAccept('application/json;note="never closed, text/event-stream')).toEqual(JSON_ALONE);
  });

  it('takes a type that is named twice when one of them has weight (HTTP-02)', () => {
    expect(parseAccept('application/json;q=0, application/json')).toEqual(JSON_ALONE);
    expect(parseAccept('application/json, application/json;q=0')).toEqual(JSON_ALONE);
  });

  it('never fails, whatever it holds (HTTP-02)', () => {
    const random = new Random(3);
    const pieces = ['application/json', 'text/event-stream', '*/*', ';q=0', ';q=1', ',', ...HARD_CHARACTERS];
    for (let round = 0; round < 2000; round++) {
      const { json, eventStream } = parseAccept(random.text(pieces, 0, 12));
      expect([typeof json, typeof eventStream]).toEqual(['boolean', 'boolean']);
    }
  });

  it.each(['"\\', '",', ' ', ';', 'a/b,', ';q=0.0', '"'])(
    'is read in linear time when it repeats %j (HTTP-02)',
    (piece) => {
      expect(growthOf(64_000, (size) => parseAccept(piece.repeat(size / piece.length)))).toBeLessThan(LINEAR);
    },
  );
});

describe('An Accept header that names event streams', () => {
  it.each(['application/json, text/event-stream', 'Text/Event-Stream;q=0.5', 'text/event-stream'])(
    'is %j (HTTP-02)',
    (header) => expect(namesEventStream(header)).toBe(true),
  );

  it.each([
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json',
    'text/event-stream;q=0',
    'text/event-streams',
  ])('is not %j (HTTP-02)', (header) => expect(namesEventStream(header)).toBe(false));
});

describe('The Content-Type header (RFC 9110 §8.3.1)', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="utf-8"',
    '  application/json\t;',
  ])('%j is JSON (HTTP-07)', (header) => {
    expect(isMediaType(header, ['application/json'])).toBe(true);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/jsonp',
    'application/json, text/plain',
    'text/plain; application/json',
    'application/ json',
    'multipart/form-data; boundary=application/json',
  ])('%j is not JSON (HTTP-07)', (header) => {
    expect(isMediaType(header, ['application/json'])).toBe(false);
  });

  it('is compared with every accepted type, whatever their case (HTTP-07)', () => {
    expect(isMediaType('application/vnd.api+json', ['application/json', 'Application/vnd.API+json'])).toBe(
      true,
    );
  });
});
