import { describe, expect, it } from '@jest/globals';
import { decodeToken } from '../../../../../../lib/server/auth/validators/jwt/decode-token.js';
import { formatToken } from '../../../../../support/authorization/issuer-key.js';

const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64url');

describe('decodeToken (RFC 7515 §7.1)', () => {
  it('gives what a token says, signed or not (AUTH-04)', () => {
    const parts = { header: { alg: 'none' }, payload: { sub: 'ädä', list: [1, { a: null }] } };
    expect(decodeToken(formatToken(parts))).toEqual(parts);
    expect(decodeToken(formatToken(parts, 'AAAA'))).toEqual(parts);
  });

  it.each([
    '',
    '.',
    '..',
    'e30',
    'e30.e30',
    'e30..e30',
    '.e30.e30',
    'e30.e30.e30.e30',
    'e30.e30.e30.',
    ' e30.e30.e30',
    'e30.e30.e30\n',
    'e30=.e30.e30',
    'e3+0.e30.e30',
    'e30.e3/0.e30',
    'e30.e30.é',
    `${encode('{"a":1')}.e30.`,
    `e30.${encode('[]')}.`,
    `e30.${encode('null')}.`,
    `e30.${encode('"text"')}.`,
    `e30.${encode('5')}.`,
    `e30.${encode('{} {}')}.`,
    `${encode('[]')}.e30.`,
  ])('finds none in %j (AUTH-04) (SAFE-02)', (token) => {
    expect(decodeToken(token)).toBeUndefined();
  });

  it('finds none in bytes that are no UTF-8: two subjects could become one (SAFE-02)', () => {
    const payload = (byte: number) =>
      encode(Buffer.from([...Buffer.from('{"sub":"'), byte, ...Buffer.from('"}')]));
    expect(decodeToken(`e30.${payload(0x61)}.`)).toEqual({ header: {}, payload: { sub: 'a' } });
    expect(decodeToken(`e30.${payload(0xff)}.`)).toBeUndefined();
    expect(decodeToken(`${payload(0xfe)}.e30.`)).toBeUndefined();
  });

  it('finds none behind a byte order mark: two tokens could say the same (SAFE-02)', () => {
    expect(decodeToken(`e30.${encode(Buffer.from('\uFEFF{"sub":"a"}'))}.`)).toBeUndefined();
  });

  it('takes no longer than a long token is (SAFE-02)', () => {
    const begun = performance.now();
    for (const token of ['a'.repeat(16_384), 'a.'.repeat(8_192), `${'-'.repeat(16_000)}.a`]) {
      expect(decodeToken(token)).toBeUndefined();
    }
    const nested = `e30.${encode(`${'['.repeat(6_000)}${']'.repeat(6_000)}`)}.`;
    expect(decodeToken(nested)).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
