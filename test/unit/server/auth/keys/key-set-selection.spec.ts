import { describe, expect, it } from '@jest/globals';
import { selectUsableKeys } from '../../../../../lib/server/auth/keys/key-set.js';
import { IssuerKey } from '../../../../support/authorization/issuer-key.js';

const URL = 'https://login.example.com/keys';

const { jwk: good } = await IssuerKey.create('ES256', 'good');
const { jwk: rsa } = await IssuerKey.create('RS256', 'rsa');

const select = (...keys: readonly unknown[]) => selectUsableKeys({ keys }, URL).map(({ kid }) => kid);

describe('selectUsableKeys (RFC 7517 §5)', () => {
  it('takes public keys, with what verifies signatures and nothing else (AUTH-04)', () => {
    const certified = { ...rsa, x5c: ['MII'], x5u: 'https://evil.example/cert', ext: 'maybe', note: {} };
    expect(selectUsableKeys({ keys: [good, certified] }, URL)).toEqual([good, rsa]);
  });

  it('takes keys that do not say what they are for (AUTH-04)', () => {
    const { kty, crv, x, y } = good;
    expect(selectUsableKeys({ keys: [{ kty, crv, x, y }] }, URL)).toEqual([{ kty, crv, x, y }]);
    expect(select({ ...good, key_ops: ['verify'] })).toEqual(['good']);
  });

  it.each([
    ['symmetric', { kty: 'oct', k: 'c2VjcmV0', kid: 'bad', alg: 'HS256' }],
    ['symmetric without its secret', { kty: 'oct', kid: 'bad' }],
    ['for encryption', { ...rsa, kid: 'bad', use: 'enc' }],
    ['for something else', { ...rsa, kid: 'bad', use: 'other' }],
    ['private', { ...good, kid: 'bad', d: 'c2VjcmV0' }],
    ['of no type', { ...good, kid: 'bad', kty: undefined }],
    ['of a type that is no text', { ...good, kid: 'bad', kty: 5 }],
    ['with a name that is no text', { ...good, kid: { toString: 'x' } }],
    ['with an algorithm that is no text', { ...good, kid: 'bad', alg: ['ES256'] }],
    ['with a number that is no text', { ...good, kid: 'bad', x: 5 }],
    ['with operations that are no list', { ...good, kid: 'bad', key_ops: 'verify' }],
    ['with operations that are no texts', { ...good, kid: 'bad', key_ops: [5] }],
    ['a text', 'good'],
    ['a number', 5],
    ['null', null],
    ['a list', [good]],
    ['empty', {}],
  ])('leaves out a key that is %s, and no other (AUTH-04) (SAFE-02)', (_, bad) => {
    expect(select(bad, good, bad)).toEqual(['good']);
  });

  it.each([null, ''])('takes a member that is %j for its absence (AUTH-04) (PEER-02)', (nothing) => {
    const members = ['use', 'alg', 'key_ops', 'd', 'k', 'p', 'x5c', 'n', 'e'].map((name) => [name, nothing]);
    const { kty, crv, x, y, kid } = good;
    expect(selectUsableKeys({ keys: [{ ...good, ...Object.fromEntries(members) }] }, URL)).toEqual([
      { kty, kid, crv, x, y },
    ]);
    expect(select({ ...good, kty: nothing })).toEqual([]);
  });

  it('looks at 200 keys (SAFE-02)', () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ ...good, kid: `${index}` }));
    expect(select(...many)).toHaveLength(200);
  });

  it.each([undefined, null, 'keys', 5, {}, { length: 1 }])(
    'refuses %j in the place of keys (AUTH-12)',
    (keys) => {
      expect(() => selectUsableKeys({ keys }, URL)).toThrow(`"${URL}" has no "keys" array`);
    },
  );
});
