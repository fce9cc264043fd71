import { createPrivateKey, generateKeyPairSync, webcrypto, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { generateKeyPair, SignJWT } from 'jose';
import { importSigningKey } from '../../../../../lib/core/oauth/token-endpoint/client-authentication.js';

const { privateKey: p256 } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { privateKey: p384 } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const { privateKey: p521 } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: ed25519, publicKey: edPublic } = generateKeyPairSync('ed25519');
const { privateKey: x25519 } = generateKeyPairSync('x25519');
const { privateKey: secp256k1 } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });

const KEYS: [string, KeyObject][] = [
  ['ES256', p256],
  ['ES384', p384],
  ['ES512', p521],
  ['RS256', rsa],
  ['EdDSA', ed25519],
];

const pemOf = (key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8'): string =>
  key.export({ type, format: 'pem' }).toString();
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });

/** Signs as an assertion is signed, and gives the algorithm. */
async function sign(parts: Parameters<typeof importSigningKey>[0]): Promise<string> {
  const { key, algorithm } = await importSigningKey(parts);
  await new SignJWT().setProtectedHeader({ alg: algorithm }).sign(key);
  return algorithm;
}

describe('importSigningKey (RFC 7523 §2.2)', () => {
  it.each(KEYS)('signs by %s with a key as PEM (CLI-15)', async (algorithm, key) => {
    await expect(sign({ privateKey: pemOf(key) })).resolves.toBe(algorithm);
  });

  it.each(KEYS)('signs by %s with a key as JWK (CLI-15)', async (algorithm, key) => {
    await expect(sign({ privateKey: jwkOf(key) })).resolves.toBe(algorithm);
  });

  it.each(['ES256', 'ES384', 'ES512', 'RS256', 'RS512', 'PS256', 'PS384', 'EdDSA'])(
    'signs by %s with a key of Web Crypto, which knows its hash (CLI-15)',
    async (algorithm) => {
      const { privateKey } = await generateKeyPair(algorithm);
      await expect(sign({ privateKey })).resolves.toBe(algorithm);
    },
  );

  it.each([
    ['ES256', pemOf(p256, 'sec1')],
    ['RS256', pemOf(rsa, 'pkcs1')],
  ])('signs by %s with what OpenSSL writes (CLI-15)', async (algorithm, privateKey) => {
    await expect(sign({ privateKey })).resolves.toBe(algorithm);
  });

  it('prefers the algorithm that it is told (CLI-15)', async () => {
    const { privateKey } = await generateKeyPair('PS384');
    await expect(sign({ privateKey: pemOf(rsa), signingAlgorithm: 'PS256' })).resolves.toBe('PS256');
    await expect(sign({ privateKey, signingAlgorithm: 'PS384' })).resolves.toBe('PS384');
    const jwk = { ...jwkOf(rsa), alg: 'RS512' };
    await expect(sign({ privateKey: jwk })).resolves.toBe('RS512');
    await expect(sign({ privateKey: jwk, signingAlgorithm: 'PS512' })).resolves.toBe('PS512');
  });

  it('knows the name of the key: as it is told, else by the JWK (CLI-15)', async () => {
    const jwk = { ...jwkOf(p256), kid: 'key-1' };
    const { privateKey } = await generateKeyPair('ES256');
    await expect(importSigningKey({ privateKey: jwk })).resolves.toHaveProperty('keyId', 'key-1');
    await expect(importSigningKey({ privateKey: jwk, keyId: 'key-2' })).resolves.toHaveProperty(
      'keyId',
      'key-2',
    );
    for (const source of [pemOf(p256), privateKey]) {
      await expect(importSigningKey({ privateKey: source })).resolves.toHaveProperty('keyId', undefined);
      await expect(importSigningKey({ privateKey: source, keyId: 'key-3' })).resolves.toHaveProperty(
        'keyId',
        'key-3',
      );
    }
  });

  const secret = createPrivateKey(pemOf(ed25519)).export({ format: 'jwk' }).d ?? '';

  it.each<[string, Parameters<typeof importSigningKey>[0]]>([
    ['nothing', { privateKey: undefined }],
    ['a text', { privateKey: secret }],
    ['a public key', { privateKey: edPublic.export({ format: 'jwk' }) }],
    [
      'a public key that says its algorithm',
      { privateKey: { ...edPublic.export({ format: 'jwk' }), alg: 'EdDSA' } },
    ],
    ['a shared secret', { privateKey: { kty: 'oct', k: secret, alg: 'HS256' } }],
    ['a key that agrees on keys', { privateKey: pemOf(x25519) }],
    ['a key of a curve of its own', { privateKey: pemOf(secp256k1) }],
    ['a key for another algorithm', { privateKey: pemOf(rsa), signingAlgorithm: 'ES256' }],
  ])('refuses %s, and shows nothing of it (CLI-15)', async (_what, parts) => {
    const error = await importSigningKey(parts).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toBe(
      'TypeError: The "privateKey" must be an asymmetric private key, as PEM, JWK or CryptoKey, that works with "signingAlgorithm"',
    );
    expect((error as Error).cause).toBeUndefined();
  });

  it('refuses the public half and the secrets of Web Crypto (CLI-15)', async () => {
    const { publicKey } = await generateKeyPair('ES256');
    const shared = await webcrypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    for (const privateKey of [publicKey, shared]) {
      await expect(importSigningKey({ privateKey })).rejects.toThrow(TypeError);
    }
  });
});
