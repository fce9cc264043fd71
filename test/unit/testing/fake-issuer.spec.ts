import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { FakeIssuer } from '../../../lib/testing/fake-issuer.js';

const DESK = 'https://desk.example.com/mcp';

describe('A fake issuer', () => {
  let issuer: FakeIssuer;

  beforeEach(async () => {
    issuer = await FakeIssuer.start();
  });

  afterEach(() => issuer.stop());

  it('shows its metadata and the keys that verify its tokens (KIT-01)', async () => {
    issuer.authOptions(DESK);
    const metadata = await fetch(`${issuer.url}/.well-known/oauth-authorization-server`);
    const { issuer: name, jwks_uri: keys } = (await metadata.json()) as Record<string, string>;
    expect(name).toBe(issuer.url);
    const verified = await jwtVerify(
      await issuer.token({ scope: 'a b' }),
      createRemoteJWKSet(new URL(keys!)),
      {
        issuer: issuer.url,
        audience: DESK,
        typ: 'at+jwt',
      },
    );
    expect(verified.payload).toMatchObject({ sub: 'ada', scope: 'a b', client_id: 'test' });
    expect((await fetch(`${issuer.url}/other`)).status).toBe(404);
  });

  it.each(['RS256', 'EdDSA'])('signs by %s (KIT-01)', async (algorithm) => {
    const other = await FakeIssuer.start({ algorithm });
    const token = await other.token();
    expect(decodeProtectedHeader(token).alg).toBe(algorithm);
    await jwtVerify(token, createRemoteJWKSet(new URL(`${other.url}/keys`)));
    await other.stop();
  });

  it('gives claims and headers of any shape, and leaves out what is undefined (KIT-01)', async () => {
    const claims = { sub: 7, aud: undefined, exp: 'never', extra: { a: [1] } };
    const token = await issuer.token(claims, { header: { typ: undefined, crit: ['x'], x: 1 } });
    expect(decodeJwt(token)).toMatchObject({ sub: 7, exp: 'never', extra: { a: [1] } });
    expect(decodeJwt(token)).not.toHaveProperty('aud');
    expect(decodeProtectedHeader(token)).toMatchObject({ crit: ['x'], x: 1 });
    expect(decodeProtectedHeader(token)).not.toHaveProperty('typ');
  });

  it('signs nothing where the header says so (KIT-01)', async () => {
    const token = await issuer.token({}, { header: { alg: 'none' } });
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.$/);
    expect(decodeJwt(token).iss).toBe(issuer.url);
  });

  it('wants to know which of several resources a token is for (KIT-01)', async () => {
    expect(decodeJwt(await issuer.token())).not.toHaveProperty('aud');
    expect(issuer.authOptions(DESK)).toEqual({
      resourceUri: DESK,
      authorizationServers: [issuer.url],
      jwt: { jwks: { cooldownMs: 1 } },
    });
    expect(decodeJwt(await issuer.token()).aud).toBe(DESK);
    issuer.authOptions('https://other.example.com/mcp');
    await expect(issuer.token()).rejects.toThrow('The claim "aud" is required');
    expect(decodeJwt(await issuer.token({ aud: DESK })).aud).toBe(DESK);
  });

  it('stops once and for all (KIT-01)', async () => {
    await issuer.stop();
    await issuer.stop();
    await expect(fetch(`${issuer.url}/keys`)).rejects.toThrow('fetch failed');
  });
});
