import { describe, expect, it } from '@jest/globals';
import {
  estimateText,
  measureParsedJson,
  parseMeasuredJson,
} from '../../../../lib/core/protocol/measured-json.js';
import { measureHeap } from '../../../support/heap.js';

const BOUNDS = { values: 25_000, depth: 512 };

/** Bodies that take much for what they weigh. */
const DEAR: Readonly<Record<string, (index: number) => string>> = {
  'empty objects': () => '{}',
  'empty arrays': () => '[]',
  'arrays of one': () => '[1]',
  'objects with names of their own': (index) => `{"${index.toString(36)}x":1}`,
  'objects with numbers for names': (index) => `{"${7 * index + 1}":1}`,
  strings: (index) => `"é${index}"`,
  fractions: (index) => `${index}.5`,
};

describe('parseMeasuredJson', () => {
  it.each(Object.entries(DEAR))('counts at least what %s take (FAIR-02)', (_what, write) => {
    const json = `[${Array.from({ length: 10_000 }, (_, index) => write(index)).join()}]`;
    const kept: unknown[] = [];
    const parse = (): number => {
      const { value, heapBytes } = parseMeasuredJson(json, BOUNDS);
      kept.push(value);
      return heapBytes;
    };
    parse();
    const before = measureHeap();
    const counted = [parse(), parse(), parse(), parse()].reduce((sum, bytes) => sum + bytes, 0);
    expect(measureHeap() - before).toBeLessThan(counted);
    expect(kept).toHaveLength(5);
  });

  it('takes text and bytes, short and long (FAIR-02)', () => {
    const long = JSON.stringify(['é'.repeat(2000)]);
    for (const json of ['{"a":"é"}', long])
      for (const message of [json, Buffer.from(json)])
        expect(parseMeasuredJson(message, BOUNDS).value).toEqual(JSON.parse(json));
  });

  it('counts two bytes for each character as soon as one is not of ASCII, in short messages too (FAIR-02)', () => {
    const count = (json: string | Buffer) => parseMeasuredJson(json, BOUNDS).heapBytes;
    const ascii = JSON.stringify(['x'.repeat(300)]);
    const other = JSON.stringify(['世'.repeat(300)]);
    expect([count(other), count(Buffer.from(other))]).toEqual([2 * count(ascii), 2 * count(ascii)]);
    expect(count(Buffer.from(ascii))).toBe(count(ascii));
  });

  it('counts what is longer than what is never too much (FAIR-02)', () => {
    const bounds = { values: 10, depth: 2 };
    expect(() => parseMeasuredJson('[[[1]]]', bounds)).toThrow('nested');
    expect(() => parseMeasuredJson('[1,2,3,4,5,6,7,8,9,0]', bounds)).toThrow('values');
    expect(parseMeasuredJson('[]', bounds).value).toEqual([]);
  });

  it('measures what was parsed elsewhere (FAIR-02)', () => {
    const value = { a: [1, 2, 3] };
    expect(measureParsedJson(value, BOUNDS)).toEqual({ value, heapBytes: expect.any(Number) });
    expect(() =>
      measureParsedJson(
        Array.from({ length: 30_000 }, () => 1),
        BOUNDS,
      ),
    ).toThrow('values');
  });
});

describe('estimateText', () => {
  it('counts a byte for each character of ASCII, and two as soon as there are others (FAIR-02)', () => {
    expect([estimateText('abcd'), estimateText('abc世')]).toEqual([4, 8]);
  });
});
