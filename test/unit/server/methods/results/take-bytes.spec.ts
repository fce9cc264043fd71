import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { takeBytes } from '../../../../../lib/server/methods/results/shorten-result.js';

const measure = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

describe('takeBytes', () => {
  it.each([
    ['plain', 3, 'pla'],
    ['äöü', 5, 'äö'],
    ['"quoted"', 3, '"q'],
    ['a\n\tb', 4, 'a\n'],
    ['\u0001\u0002', 7, '\u0001'],
    ['€uro', 4, '€u'],
    ['🙂🙂', 7, '🙂'],
    ['\ud800x', 6, '\ud800'],
    ['short', 100, 'short'],
    ['nothing', 0, ''],
    ['less', -5, ''],
  ])('takes of %j what goes into %d bytes of JSON (OPS-04)', (text, bytes, taken) => {
    expect(takeBytes(text, bytes)).toBe(taken);
  });

  it('takes as much as fits, and never half a character (OPS-04)', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(anything, fc.nat(120), (text, bytes) => {
        const taken = takeBytes(text, bytes);
        expect(text.startsWith(taken)).toBe(true);
        expect(measure(taken)).toBeLessThanOrEqual(bytes);
        const next = String.fromCodePoint(text.codePointAt(taken.length) ?? 0);
        const isAll = taken.length === text.length;
        expect(isAll || measure(taken + next) > bytes).toBe(true);
      }),
    );
  });
});
