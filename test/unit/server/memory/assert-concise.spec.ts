import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseMeasuredJson } from '../../../../lib/core/protocol/measured-json.js';
import { assertConcise, HeapCost } from '../../../../lib/server/memory/memory-limits.js';

const BOUNDS = { values: 1_000_000, depth: 1000 };
const LONG = { text: 'x'.repeat(65_536) };

/** What a request takes whose body is such a text. */
function measure(text: string): { value: unknown; bytes: number } {
  const { value, heapBytes } = parseMeasuredJson(text, BOUNDS);
  return { value, bytes: HeapCost.request + heapBytes };
}

describe('assertConcise', () => {
  it('refuses what is long, whatever it comes in (HTTP-10)', () => {
    const refusal = expect.objectContaining({ code: -32602 });
    expect(() => assertConcise(LONG, '"it"')).toThrow(refusal);
    expect(() => assertConcise(LONG, '"it"', measure(JSON.stringify(LONG)))).toThrow(refusal);
  });

  it('lets pass what is short (HTTP-10)', () => {
    const short = { text: 'x'.repeat(65_000) };
    expect(() => assertConcise(short, '"it"')).not.toThrow();
    expect(() => assertConcise(short, '"it"', measure(JSON.stringify(short)))).not.toThrow();
  });

  it.each(['1e20,', '1e-7,', '"\\u0000",', '"\\ud800",', '"€",', '[],', '{"a":1e20},'])(
    'passes over no long list of %s because its request is small (HTTP-10)',
    (element) => {
      for (const count of [1, 10, 40, 100, 400, 1000, 4000, 14_000]) {
        const text = `[${element.repeat(count).slice(0, -1)}]`;
        const { value, bytes } = measure(text);
        expect(bytes - HeapCost.request).toBeGreaterThanOrEqual(JSON.stringify(value).length);
      }
    },
  );

  it('passes over nothing long because its request is small (HTTP-10)', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const { value, bytes } = measure(text);
        expect(bytes - HeapCost.request).toBeGreaterThanOrEqual(JSON.stringify(value).length);
      }),
    );
  });
});
