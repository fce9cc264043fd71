import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HmacSha256 } from '../../../../lib/core/sealing/hmac-sha256.js';

function signAsNodeDoes(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

const keys = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));

describe('HmacSha256', () => {
  it('has the code of RFC 4231 §4.3 (SESS-05)', () => {
    const code = new HmacSha256(Buffer.from('Jefe')).sign('what do ya want for nothing?');
    expect(Buffer.from(code, 'base64url').toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('signs any text with any key as createHmac() does, whatever it signed before (SESS-05)', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(keys, fc.array(text), (key, texts) => {
        const hmac = new HmacSha256(key);
        expect(texts.map((each) => hmac.sign(each))).toEqual(texts.map((each) => signAsNodeDoes(key, each)));
      }),
    );
  });

  it.each(['a', 'ü', '€', '😀', '\ud800'])(
    'signs texts of every length as createHmac() does, of %j (SESS-05)',
    (character) => {
      const key = Buffer.alloc(32, 7);
      const hmac = new HmacSha256(key);
      for (let length = 0; length <= 2100; length += 1) {
        const text = character.repeat(length);
        expect(hmac.sign(text)).toBe(signAsNodeDoes(key, text));
      }
    },
  );

  it('refuses a key longer than a block', () => {
    expect(() => new HmacSha256(Buffer.alloc(65))).toThrow('A key can have at most 64 bytes');
  });
});
