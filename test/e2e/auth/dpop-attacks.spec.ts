import { generateKeyPairSync } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import { readChallenges } from '../../../lib/core/oauth/read-challenges.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bindToken, bootBoundDesk, BoundTools } from '../../support/applications/bound-desk.js';
import { METADATA, RESOURCE } from '../../support/applications/protected-desk.js';
import { byRsa } from '../../support/authorization/forger.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { Prover } from '../../support/authorization/prover.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { ATTACKS_ON_PROOFS } from './attacks/on-proofs.js';

const ALGORITHMS = 'ES256 ES384 ES512 EdDSA Ed25519 PS256 RS256';

/** What a challenge of an answer says. */
type Challenge = { readonly [parameter: string]: string } | undefined;

describe.each(ADAPTERS)('A proof on %s (RFC 9449)', (adapter) => {
  let issuer: TestIssuer;
  let desk: RunningApp;
  let prover: Prover;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    desk = await bootBoundDesk(adapter, issuer, 'allowed');
  });
  afterAll(async () => {
    await desk.close();
    await issuer.stop();
  });

  const bind = (claims = {}): Promise<Prover> => bindToken(issuer, claims);

  beforeAll(async () => {
    prover = await bind();
  });

  it('that is good lets its client in, each time another (XTN-03)', async () => {
    for (let turn = 0; turn < 3; turn += 1) expect((await enter(desk, prover.headers())).status).toBe(200);
  });

  it.each([
    ['the URL in another case', { htu: 'HTTPS://Desk.Example.COM/mcp' }],
    ['the port that goes without saying', { htu: 'https://desk.example.com:443/mcp' }],
    ['a detour', { htu: 'https://desk.example.com/x/../mcp' }],
    ['letters that are encoded', { htu: 'https://desk.example.com/%6dcp' }],
    ['a query and a fragment', { htu: `${RESOURCE}?a=b#c` }],
    ['claims that nobody knows', { content_digest: 'sha-256=:x:' }],
  ])('is as good with %s (XTN-03)', async (_, claims) => {
    expect((await enter(desk, prover.headers({ claims }))).status).toBe(200);
  });

  it.each([
    ['behind', -250],
    ['ahead', 250],
    ['not of whole seconds', 0.5],
  ])('is as good by a clock that is %s (XTN-03)', async (_, seconds) => {
    const iat = Date.now() / 1000 + seconds;
    expect((await enter(desk, prover.headers({ claims: { iat } }))).status).toBe(200);
  });

  it('may say when it ends and begins, with a minute for clocks that differ (XTN-03)', async () => {
    const at = (seconds: number) => Math.round(Date.now() / 1000) + seconds;
    for (const claims of [{ exp: at(-30) }, { exp: at(30) }, { nbf: at(-30) }, { nbf: at(30) }])
      expect((await enter(desk, prover.headers({ claims }))).status).toBe(200);
    for (const claims of [{ exp: at(-90) }, { nbf: at(90) }])
      expect((await refusalOf(desk, prover.headers({ claims }))).dpop).toMatchObject({
        error_description: 'The proof has expired or is not yet valid',
      });
  });

  it('is known in each case of its scheme (XTN-03)', async () => {
    const { dpop } = prover.headers();
    const { token } = prover.subject;
    expect((await enter(desk, { authorization: `dpop ${token}`, dpop })).status).toBe(200);
  });

  it.each(ATTACKS_ON_PROOFS)('is refused with %s: %s (XTN-03)', async (_, error, make) => {
    const wrong = make(prover);
    const headers = 'headers' in wrong ? wrong.headers : prover.headers(wrong);
    expect(await refusalOf(desk, headers)).toMatchObject({
      dpop: { error, algs: ALGORITHMS, resource_metadata: METADATA },
      bearer: { resource_metadata: METADATA },
    });
    // The way was open.
    expect((await enter(desk, prover.headers())).status).toBe(200);
  });

  it('is refused with a key that is too small, whatever is bound to it (XTN-03)', async () => {
    const pair = { kid: 'rsa', ...generateKeyPairSync('rsa', { modulusLength: 1024 }) };
    const jwk = pair.publicKey.export({ format: 'jwk' });
    const token = await issuer.token({ cnf: { jkt: await calculateJwkThumbprint(jwk) } });
    const client = new Prover({ htu: RESOURCE, token });
    const headers = client.headers({ header: { alg: 'RS256', jwk }, signer: byRsa(pair) });
    expect((await refusalOf(desk, headers)).dpop).toMatchObject({ error: 'invalid_dpop_proof' });
  });

  it('counts once (XTN-03)', async () => {
    const headers = prover.headers();
    expect((await enter(desk, headers)).status).toBe(200);
    const { dpop } = await refusalOf(desk, headers);
    expect(dpop).toMatchObject({
      error: 'invalid_dpop_proof',
      error_description: 'The proof has already been used: create a new one for each request',
    });
  });

  it('counts once by its id, whatever else it says (XTN-03)', async () => {
    const { jti, iat } = prover.claims;
    expect((await enter(desk, prover.headers({ claims: { jti } }))).status).toBe(200);
    const again = prover.headers({ claims: { jti, iat: Number(iat) - 7 } });
    expect((await refusalOf(desk, again)).dpop).toMatchObject({ error: 'invalid_dpop_proof' });
  });

  it('does not count as used where it was refused (XTN-03)', async () => {
    const { jti } = prover.claims;
    const wrong = prover.headers({ claims: { jti, htm: 'GET' } });
    expect((await refusalOf(desk, wrong)).dpop).toMatchObject({ error: 'invalid_dpop_proof' });
    expect((await enter(desk, prover.headers({ claims: { jti } }))).status).toBe(200);
  });

  it('has an id of its own for each key (XTN-03)', async () => {
    const other = await bind();
    const { jti } = prover.claims;
    expect((await enter(desk, prover.headers({ claims: { jti } }))).status).toBe(200);
    expect((await enter(desk, other.headers({ claims: { jti } }))).status).toBe(200);
  });

  it.each([
    ['no proof', (client: Prover) => ({ authorization: `Bearer ${client.subject.token}` })],
    [
      'a good proof',
      (client: Prover) => ({ ...client.headers(), authorization: `Bearer ${client.subject.token}` }),
    ],
  ])('is what a bound token needs: as a bearer token with %s it is refused (XTN-03)', async (_, make) => {
    const fault = {
      error: 'invalid_token',
      error_description: 'The token is bound to a key: send it as DPoP <token>, with a proof',
    };
    expect(await refusalOf(desk, make(prover))).toMatchObject({
      bearer: fault,
      dpop: { ...fault, algs: ALGORITHMS },
    });
  });

  it.each([
    ['that is bound to no key', { cnf: undefined }],
    [
      'that is bound to a certificate',
      { cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' } },
    ],
    ['that is bound to nothing known', { cnf: {} }],
    ['that is bound to a name', { cnf: { kid: 'client' } }],
    ['that is bound to a key in full', { cnf: { jwk: { kty: 'EC' } } }],
    ['that is bound to a word', { cnf: { jkt: 'client' } }],
    ['that is bound to a number', { cnf: { jkt: 7 } }],
    ['whose binding is a text', { cnf: 'client' }],
    ['that is over', { exp: 1 }],
    ['for another resource', { aud: 'https://other.example.com/mcp' }],
    ['of another issuer', { iss: 'https://other.example.com' }],
  ])('does not help a token %s (XTN-03)', async (_, claims) => {
    const client = await bind(claims);
    const { dpop, bearer } = await refusalOf(desk, client.headers());
    expect([dpop?.['error'], bearer?.['error']]).toEqual(['invalid_token', undefined]);
  });

  it('does not help a token that is bound to a key and a certificate: the refusal names the latter (XTN-03)', async () => {
    const client = new Prover({ htu: RESOURCE });
    const cnf = { jkt: client.thumbprint, 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' };
    const token = await issuer.token({ cnf });
    client.subject = { htu: RESOURCE, token };
    const description = expect.stringContaining('bound to a TLS client certificate (x5t#S256)');
    expect((await refusalOf(desk, client.headers())).dpop).toMatchObject({ error_description: description });
  });

  it.each([
    ['without a token', (client: Prover) => ({ dpop: client.proof() }), 'bearer'],
    ['with the scheme alone', (client: Prover) => ({ authorization: 'DPoP', dpop: client.proof() }), 'dpop'],
    ['with a quoted token', (client: Prover) => ({ ...client.headers(), authorization: 'DPoP "x"' }), 'dpop'],
    ['with a password', (client: Prover) => ({ ...client.headers(), authorization: 'Basic YTpi' }), 'bearer'],
  ] as const)('is nothing %s (XTN-03)', async (name, make, scheme) => {
    const challenges = await refusalOf(desk, make(prover));
    const error = name === 'without a token' ? undefined : 'invalid_token';
    expect(challenges[scheme]?.['error']).toBe(error);
  });

  it('may come beside a bearer token, which needs none (XTN-03)', async () => {
    const authorization = `Bearer ${await issuer.token()}`;
    expect((await enter(desk, { authorization })).status).toBe(200);
    expect((await enter(desk, { authorization, dpop: 'x' })).status).toBe(200);
  });

  describe('on a server that takes bound tokens alone', () => {
    let strict: RunningApp;

    beforeAll(async () => {
      strict = await bootBoundDesk(adapter, issuer, {
        mode: 'required',
        algorithms: ['ES256'],
        windowSeconds: 30,
      });
    });
    afterAll(() => strict.close());

    it('is needed by everybody (XTN-03)', async () => {
      expect((await enter(strict, prover.headers())).status).toBe(200);
      const { bearer, dpop } = await refusalOf(strict, { authorization: `Bearer ${await issuer.token()}` });
      expect([bearer, dpop]).toEqual([
        undefined,
        {
          resource_metadata: METADATA,
          scope: 'desk:write',
          error: 'invalid_token',
          error_description: 'The token is not bound to a key: request one with a proof',
          algs: 'ES256',
        },
      ]);
    });

    it('is asked for where there is no token (XTN-03)', async () => {
      expect(await refusalOf(strict, {})).toEqual({
        bearer: undefined,
        dpop: { resource_metadata: METADATA, scope: 'desk:write', algs: 'ES256' },
      });
    });

    it('is taken in the time that the server says (XTN-03)', async () => {
      const iat = Math.floor(Date.now() / 1000) - 40;
      expect((await enter(desk, prover.headers({ claims: { iat } }))).status).toBe(200);
      const { dpop } = await refusalOf(strict, prover.headers({ claims: { iat } }));
      expect(dpop).toMatchObject({ error: 'invalid_dpop_proof' });
    });
  });
});

function enter({ url }: RunningApp, headers: OutgoingHttpHeaders) {
  return perRequest(url, { headers }).request('tools/call', { name: 'enter' });
}

/** Gives what the challenges of a refusal say, and makes sure that it was one. */
async function refusalOf(
  desk: RunningApp,
  headers: OutgoingHttpHeaders,
): Promise<{ readonly bearer: Challenge; readonly dpop: Challenge }> {
  const tools = desk.app.get(BoundTools);
  const { entries } = tools;
  const answer = await enter(desk, headers);
  expect([answer.status, tools.entries]).toEqual([401, entries]);
  const { challenges, problem: fault } = readChallenges(String(answer.headers['www-authenticate']));
  expect(fault).toBeUndefined();
  const find = (scheme: string): Challenge => {
    const found = challenges.find((challenge) => challenge.scheme === scheme);
    return found && Object.fromEntries(found.parameters);
  };
  return { bearer: find('bearer'), dpop: find('dpop') };
}
