import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { KeptHeader } from '../../../lib/auth/kept-header.js';

const LONGEST = 8192;

/** Headers as Node reads them: each byte is a character. */
const header = fc.uint8Array({ maxLength: 80 }).map((bytes) => String.fromCodePoint(...bytes));

describe('KeptHeader', () => {
  it('equals what has the same characters, and nothing else (AUTH-11)', () => {
    fc.assert(
      fc.property(header, header, (one, other) => {
        expect(new KeptHeader(one).equals(one)).toBe(true);
        expect(new KeptHeader(one).equals(other)).toBe(one === other);
      }),
    );
  });

  it.each([1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 600])(
    'sees each difference of one character in %d (AUTH-11)',
    (length) => {
      const kept = new KeptHeader('a'.repeat(length));
      for (let place = 0; place < length; place += 1) {
        expect(kept.equals('a'.repeat(place) + 'b' + 'a'.repeat(length - place - 1))).toBe(false);
      }
      expect(kept.equals('a'.repeat(length))).toBe(true);
    },
  );

  it('equals no beginning and no continuation (AUTH-11)', () => {
    const kept = new KeptHeader('Bearer abc');
    expect(kept.equals('Bearer ab')).toBe(false);
    expect(kept.equals('Bearer abcd')).toBe(false);
    expect(kept.equals('Bearer abc\0')).toBe(false);
  });

  it('is not changed by what it is compared with, nor by another that is kept (AUTH-11)', () => {
    const kept = new KeptHeader('Bearer abc');
    new KeptHeader('Bearer xyz').equals('Bearer uvw');
    expect(kept.equals('Bearer xyz')).toBe(false);
    expect(kept.equals('Bearer abc')).toBe(true);
  });

  it('is not changed by a longer one where it ends within a word (AUTH-11)', () => {
    const short = new KeptHeader('Bearer abc');
    new KeptHeader('Bearer of-somebody-with-a-long-token').equals('Bearer of-somebody-with-a-long-token');
    expect(short.equals('Bearer abc')).toBe(true);
    expect(new KeptHeader('Bearer ab').equals('Bearer ac')).toBe(false);
  });

  it('equals the longest that is compared, and nothing longer (AUTH-11) (SAFE-02)', () => {
    const longest = 'a'.repeat(LONGEST);
    expect(new KeptHeader(longest).equals(longest)).toBe(true);
    expect(new KeptHeader(longest).equals(`${longest.slice(1)}b`)).toBe(false);
    expect(new KeptHeader(`${longest}a`).equals(`${longest}a`)).toBe(false);
  });
});
