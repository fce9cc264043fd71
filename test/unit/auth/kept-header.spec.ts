import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { KeptHeader } from '../../../lib/auth/kept-header.js';

/** Headers as Node reads them: each byte is a character. */
const header = fc.uint8Array({ maxLength: 80 }).map((bytes) => String.fromCodePoint(...bytes));

describe.each([
  ['whose token ends with a signature', true],
  ['with any other token', false],
])('KeptHeader %s', (_name, isSigned) => {
  it('equals what has the same characters, and nothing else (AUTH-11)', () => {
    fc.assert(
      fc.property(header, header, (one, other) => {
        expect(new KeptHeader(one, isSigned).equals(one)).toBe(true);
        expect(new KeptHeader(one, isSigned).equals(other)).toBe(one === other);
      }),
    );
  });

  it.each([1, 2, 7, 23, 24, 25, 600])('sees each difference of one character in %d (AUTH-11)', (length) => {
    const kept = new KeptHeader('a'.repeat(length), isSigned);
    for (let place = 0; place < length; place += 1) {
      expect(kept.equals('a'.repeat(place) + 'b' + 'a'.repeat(length - place - 1))).toBe(false);
    }
    expect(kept.equals('a'.repeat(length))).toBe(true);
  });

  it('equals no beginning and no continuation (AUTH-11)', () => {
    const kept = new KeptHeader('Bearer abc', isSigned);
    expect(kept.equals('Bearer ab')).toBe(false);
    expect(kept.equals('Bearer abcd')).toBe(false);
    expect(kept.equals('Bearer abc\0')).toBe(false);
  });
});
