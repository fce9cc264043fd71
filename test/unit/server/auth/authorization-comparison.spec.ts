import fc from 'fast-check';
import { describe, expect, it, jest } from '@jest/globals';
import { CachedHeader } from '../../../../lib/server/auth/caller-cache.js';

const LONGEST = 8192;

/** Headers as Node reads them: each byte is a character. */
const header = fc.uint8Array({ maxLength: 80, size: 'max' }).map((bytes) => String.fromCodePoint(...bytes));

describe.each([
  ['whose token ends with a signature', true],
  ['with any other token', false],
])('KeptHeader %s', (_name, isSigned) => {
  it('equals what has the same characters, and nothing else (AUTH-11)', () => {
    fc.assert(
      fc.property(header, header, (one, other) => {
        expect(new CachedHeader(one, isSigned).equals(one)).toBe(true);
        expect(new CachedHeader(one, isSigned).equals(other)).toBe(one === other);
      }),
    );
  });

  it.each([1, 2, 3, 4, 5, 7, 8, 9, 21, 22, 23, 63, 64, 600])(
    'sees each difference of one character in %d (AUTH-11)',
    (length) => {
      const kept = new CachedHeader('a'.repeat(length), isSigned);
      for (let place = 0; place < length; place += 1) {
        expect(kept.equals('a'.repeat(place) + 'b' + 'a'.repeat(length - place - 1))).toBe(false);
      }
      expect(kept.equals('a'.repeat(length))).toBe(true);
    },
  );

  it('equals no beginning and no continuation (AUTH-11)', () => {
    const kept = new CachedHeader('Bearer abc', isSigned);
    expect(kept.equals('Bearer ab')).toBe(false);
    expect(kept.equals('Bearer abcd')).toBe(false);
    expect(kept.equals('Bearer abc\0')).toBe(false);
  });

  it('is not changed by what it is compared with, nor by another that is kept (AUTH-11)', () => {
    const kept = new CachedHeader('Bearer abc', isSigned);
    new CachedHeader('Bearer xyz', isSigned).equals('Bearer uvw');
    expect(kept.equals('Bearer xyz')).toBe(false);
    expect(kept.equals('Bearer abc')).toBe(true);
  });

  it('is not changed by a longer one (AUTH-11)', () => {
    const short = new CachedHeader('Bearer abc', isSigned);
    const long = 'Bearer of-somebody-with-a-long-token';
    new CachedHeader(long, isSigned).equals(long);
    expect(short.equals('Bearer abc')).toBe(true);
    expect(new CachedHeader('Bearer ab', isSigned).equals('Bearer ac')).toBe(false);
  });

  it('equals the longest that is compared, and nothing longer (AUTH-11) (SAFE-02)', () => {
    const longest = 'a'.repeat(LONGEST);
    expect(new CachedHeader(longest, isSigned).equals(longest)).toBe(true);
    expect(new CachedHeader(longest, isSigned).equals(`${longest.slice(1)}b`)).toBe(false);
    expect(new CachedHeader(`${longest}a`, isSigned).equals(`${longest}a`)).toBe(false);
  });

  it('reads as many characters wherever its secret differs (AUTH-11)', () => {
    const secret = 'a'.repeat(24);
    const kept = new CachedHeader(`Bearer ${secret}`, isSigned);
    const read = jest.spyOn(String.prototype, 'charCodeAt');
    const counts = ['b' + 'a'.repeat(23), 'a'.repeat(23) + 'b', 'b'.repeat(24)].map((given) => {
      read.mockClear();
      kept.equals(`Bearer ${given}`);
      return read.mock.calls.length;
    });
    read.mockRestore();
    expect(counts).toEqual(isSigned ? [22, 22, 22] : [31, 31, 31]);
  });

  it('takes no spaces at the end for the secret (AUTH-11)', () => {
    const padded = `Bearer ${'a'.repeat(24)}${' '.repeat(24)}`;
    const kept = new CachedHeader(padded, isSigned);
    const read = jest.spyOn(String.prototype, 'charCodeAt');
    kept.equals(padded);
    const count = read.mock.calls.length;
    read.mockRestore();
    expect(count).toBe(isSigned ? 22 : 31);
  });
});
