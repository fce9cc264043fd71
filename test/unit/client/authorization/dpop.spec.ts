import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import { DpopKey, DpopProof, UnusableTokenError } from '../../../../lib/client/authorization/index.js';

const URL_OF_DESK = 'https://desk.example.com/mcp?a=1#b';

/** Reads a proof as a server does (RFC 9449 §4.3). */
async function read(proof: string) {
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt' });
  return { payload, header: protectedHeader };
}

const nonce = (value: string): Headers => new Headers({ 'dpop-nonce': value });

describe('DpopProof (RFC 9449 §4)', () => {
  it('names the call, and binds the token to it (CLI-19)', async () => {
    const key = await DpopKey.generate();
    const call = { method: 'POST', url: URL_OF_DESK, token: 'bound-token' };
    const { authorization, dpop } = await new DpopProof(key).buildHeaders(call);
    expect(authorization).toBe('DPoP bound-token');
    const { payload, header } = await read(dpop);
    expect(payload).toEqual({
      jti: expect.any(String),
      iat: expect.any(Number),
      htm: 'POST',
      htu: 'https://desk.example.com/mcp',
      ath: createHash('sha256').update('bound-token').digest('base64url'),
    });
    expect(header).toEqual({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.publicJwk });
    await expect(calculateJwkThumbprint(key.publicJwk)).resolves.toBe(key.thumbprint);
  });

  it('is another one for each call (CLI-19)', async () => {
    const proof = new DpopProof(await DpopKey.generate());
    const call = { method: 'GET', url: URL_OF_DESK, token: 'bound-token' };
    const proofs = await Promise.all(Array.from({ length: 20 }, () => proof.buildHeaders(call)));
    const names = await Promise.all(proofs.map(async ({ dpop }) => (await read(dpop)).payload.jti));
    expect(new Set(names).size).toBe(20);
  });

  it('has no token in it at a token endpoint (CLI-19)', async () => {
    const proof = new DpopProof(await DpopKey.generate());
    const { payload } = await read(
      await proof.sign({ method: 'POST', url: 'https://login.example.com/token' }),
    );
    expect(payload).not.toHaveProperty('ath');
    expect(payload).not.toHaveProperty('nonce');
  });

  it('carries the nonce that its server gave last, and no other server (CLI-19)', async () => {
    const proof = new DpopProof(await DpopKey.generate());
    const [desk, login] = ['https://desk.example.com/mcp', 'https://login.example.com/token'];
    proof.heedAnswer(desk, nonce('desk-1'));
    proof.heedAnswer(`${desk}?later`, nonce('desk-2'));
    proof.heedAnswer(login, nonce('login-1'));
    proof.heedAnswer(login, new Headers());
    const sign = async (url: string) =>
      (await read(await proof.sign({ method: 'GET', url }))).payload['nonce'];
    await expect(Promise.all([desk, login, 'https://desk.example.com:8443/'].map(sign))).resolves.toEqual([
      'desk-2',
      'login-1',
      undefined,
    ]);
  });

  it('keeps no endless nonce, and not one for each server of the world (CLI-19)', async () => {
    const proof = new DpopProof(await DpopKey.generate());
    const place = (index: number) => `https://host-${index}.example.com/`;
    proof.heedAnswer(place(0), nonce('x'.repeat(1025)));
    for (let index = 1; index <= 40; index++) proof.heedAnswer(place(index), nonce(`nonce-${index}`));
    const sign = async (index: number) =>
      (await read(await proof.sign({ method: 'GET', url: place(index) }))).payload['nonce'];
    await expect(Promise.all([0, 1, 40].map(sign))).resolves.toEqual([undefined, undefined, 'nonce-40']);
  });

  it('shows no token in a refusal that no header could carry (CLI-19)', async () => {
    const proof = new DpopProof(await DpopKey.generate());
    const call = { method: 'GET', url: URL_OF_DESK, token: 'two words' };
    await expect(proof.buildHeaders(call)).rejects.toBeInstanceOf(UnusableTokenError);
  });
});

describe('DpopKey', () => {
  it.each(['ES256', 'ES512', 'EdDSA', 'PS256', 'RS256'])('signs by %s (CLI-19)', async (algorithm) => {
    const proof = new DpopProof(await DpopKey.generate({ algorithm }));
    const { header } = await read(await proof.sign({ method: 'GET', url: URL_OF_DESK }));
    expect(header.alg).toBe(algorithm);
  });

  it('keeps its private half to itself, unless it is told otherwise (CLI-19)', async () => {
    const key = await DpopKey.generate();
    expect(key.privateKey.extractable).toBe(false);
    expect(key.toStored()).toEqual({ thumbprint: key.thumbprint });
  });

  it.each(['ES256', 'EdDSA', 'RS256'])('is the same after it was kept, by %s (CLI-19)', async (algorithm) => {
    const key = await DpopKey.generate({ algorithm, isExtractable: true });
    const { thumbprint, privateJwk } = key.toStored();
    const kept = await DpopKey.import(JSON.parse(JSON.stringify(privateJwk)));
    expect([kept.thumbprint, kept.publicJwk, kept.algorithm]).toEqual([thumbprint, key.publicJwk, algorithm]);
    const { header } = await read(await new DpopProof(kept).sign({ method: 'GET', url: URL_OF_DESK }));
    expect(header.jwk).toEqual(key.publicJwk);
  });

  it('shows nothing of its private half in a log, or in a proof (CLI-19)', async () => {
    const key = await DpopKey.generate({ isExtractable: true });
    const secret = key.toStored().privateJwk?.d ?? '';
    expect(secret).not.toBe('');
    const odd = { ...key.toStored().privateJwk, kid: 'key-1', custom: secret };
    const proof = new DpopProof(await DpopKey.import(odd));
    const { header } = await read(await proof.sign({ method: 'GET', url: URL_OF_DESK }));
    const shown = [
      inspect(proof, { depth: 9, showHidden: true }),
      JSON.stringify(proof),
      JSON.stringify(header),
    ];
    expect(shown.join()).not.toContain(secret);
  });

  it.each([
    ['public', { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', alg: 'ES256' }],
    ['symmetric', { kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' }],
    ['of an unknown algorithm', { kty: 'EC', crv: 'P-256', d: 'd' }],
  ])('is refused where it is %s (CLI-19)', async (_what, jwk) => {
    await expect(DpopKey.import(jwk)).rejects.toThrow(/"privateJwk" must be an asymmetric private key/);
  });
});
