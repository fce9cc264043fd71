import { describe, expect, it } from '@jest/globals';
import {
  computeMaxValues,
  ValueMeter,
  type MessageFraming,
} from '../../../../lib/core/network/value-meter.js';

/** The least that any limit in bytes gives. */
const LIMIT = 10_000;

function measure(text: string, framing: MessageFraming = 'body', chunkLength = 7): string | undefined {
  const bytes = Buffer.from(text);
  const meter = new ValueMeter(1, framing);
  for (let start = 0; start < bytes.length; start += chunkLength) {
    const excess = meter.findExcess(bytes.subarray(start, start + chunkLength));
    if (excess !== undefined) return excess;
  }
  return undefined;
}

function repeat(value: string, count: number): string {
  return Array.from({ length: count }, () => value).join(',');
}

const result = (members: string) => `{"jsonrpc":"2.0","id":1,"result":{${members}}}`;
const event = (text: string) => `data: ${text}\n\n`;
const MANY = repeat('{}', LIMIT);

describe('ValueMeter', () => {
  it('allows a value for each 32 bytes, and some even if there may be few bytes (PEER-07)', () => {
    expect([1, 8_388_608].map(computeMaxValues)).toEqual([LIMIT, 262_144]);
  });

  it.each([
    ['elements of lists', result(`"tools":[${repeat('{}', 1_300)}]`)],
    ['elements that have several forms', result(`"content":[${repeat('{}', 160)}]`)],
    ['elements inside of these', result(`"content":[{"audience":[${repeat('1', 320)}]}]`)],
    ['a name with escapes', result(`"c\\u006fntent":[${repeat('{}', 160)}]`)],
    ['params', `{"method":"sampling/createMessage","params":{"messages":[${repeat('{}', 160)}]}}`],
    ['a batch', `[${repeat('{}', 160)}]`],
    ['members of a message', `{${repeat('"a":1', 170)}}`],
    ['members of a result', result(repeat('"a":1', 640))],
    ['members further inside', result(`"_meta":{${repeat('"a":1', LIMIT + 2)}}`)],
    ['a name of what is not validated, elsewhere', result(`"tools":[{"structuredContent":[${MANY}]}]`)],
    ['what follows what is not validated', result(`"structuredContent":[{}],"tools":[${MANY}]`)],
    ['a result beside an error', `{"error":{"a":[]},"result":{"tools":[${MANY}]}}`],
  ])('finds too many values: %s (PEER-07)', (_, text) => {
    expect(measure(text)).toBe('values');
    expect(measure(`${text}\n`, 'lines')).toBe('values');
    expect(measure(event(text), 'events')).toBe('values');
  });

  it.each([
    ['structured content', result(`"content":[],"structuredContent":{"a":[${MANY}]}`)],
    ['structured content of a task', result(`"result":{"structuredContent":{"a":[${MANY}]}}`)],
    ['data of a log', `{"method":"notifications/message","params":{"data":[${MANY}]}}`],
    ['an error', `{"error":{"data":[${MANY}]}}`],
    ['brackets in a text', result(`"content":[{"text":"${'[{,\\"'.repeat(LIMIT)}"}]`)],
    ['blocks', result(`"content":[${repeat('{"type":"text","text":"a"}', 140)}]`)],
    ['nesting within the limit', result(`"a":${'['.repeat(498)}${']'.repeat(498)}`)],
  ])('accepts: %s (PEER-07)', (_, text) => {
    expect(measure(text)).toBeUndefined();
    expect(measure(event(text), 'events')).toBeUndefined();
  });

  it.each(['"structuredContent":{"a":', '"tools":[{"a":'])('finds too many levels: %s (PEER-07)', (start) => {
    expect(measure(result(`${start}${'['.repeat(501)}`))).toBe('levels');
  });

  it.each<[MessageFraming, string]>([
    ['lines', '\n'],
    ['events', '\n\n'],
    ['events', '\r\n\r\n'],
    ['events', '\r\r'],
  ])('counts each message by itself: %s ended by %j (PEER-07)', (framing, end) => {
    const start = framing === 'events' ? 'data:' : '';
    const text = start + result(`"tools":[${repeat('{}', 1_000)}]`) + end;
    expect(measure(text.repeat(5), framing)).toBeUndefined();
    expect(measure(`${text}${start}${result(`"tools":[${MANY}]`)}`, framing)).toBe('values');
  });

  it.each([
    ['a comment with a quote', ': "\n'],
    ['an id that looks like a message', 'id: {"result":{"structuredContent":[\n'],
    ['another field', 'datum: {"result":{"structuredContent":[\n'],
    ['byte order marks', '\uFEFF\uFEFF'],
  ])('is not misled by other lines of an event: %s (PEER-07)', (_, start) => {
    expect(measure(start + event(result(`"tools":[${MANY}]`)), 'events')).toBe('values');
  });

  it('counts a message over several lines of data (PEER-07)', () => {
    const lines = result(`"tools":[\r\ndata:${MANY}\r\ndata: ]`);
    expect(measure(event(lines), 'events')).toBe('values');
  });
});
