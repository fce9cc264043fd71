import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, decodeJwt, EmbeddedJWK, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import {
  ClientCredentialsTokenSource,
  createAuthorizedFetch,
  DpopKey,
  EnterpriseManagedTokenSource,
  WorkloadIdentityTokenSource,
  type TokenSource,
} from 'nestjs-mcp/client';
import { GrantScene } from '../../support/authorization/grant-scene.js';
import { MachineServer } from '../../support/authorization/machine-server.js';
import { json, Party, status, type SeenRequest } from '../../support/authorization/party.js';
import { TokenParty, type SeenTokenRequest } from '../../support/authorization/token-party.js';

const CLIENT = { clientId: 'night-job', clientSecret: 'the-secret-of-a-job' };

async function readProof({ headers }: SeenRequest): Promise<{ readonly [claim: string]: unknown }> {
  const { payload, protectedHeader } = await jwtVerify(String(headers['dpop']), EmbeddedJWK, {
    typ: 'dpop+jwt',
  });
  return { ...payload, jkt: await calculateJwkThumbprint(protectedHeader.jwk ?? { kty: '' }) };
}

describe('Tokens that are bound to a key (RFC 9449)', () => {
  let scene: GrantScene;
  const asked = (): readonly SeenTokenRequest[] => scene.issuer.asked;
  const give = () => scene.issuer.grant({ scope: 'desk:read', token_type: 'DPoP' });

  beforeEach(async () => {
    scene = await GrantScene.start();
    scene.issuer.reply = () => json(give());
  });
  afterEach(() => scene.stop());

  it('are asked for with a proof, and sent with one (CLI-19)', async () => {
    const key = await DpopKey.generate();
    const source = new ClientCredentialsTokenSource({ serverUrl: scene.server.url, ...CLIENT, dpop: key });
    await expect(scene.call(source)).resolves.toBe(200);
    const [request] = asked();
    await expect(readProof(request!)).resolves.toMatchObject({
      htm: 'POST',
      htu: scene.issuer.tokenEndpoint,
      jkt: key.thumbprint,
    });
    const sent = scene.server.party.requests.at(-1)!;
    expect(sent.headers.authorization).toBe('DPoP token-1');
    await expect(readProof(sent)).resolves.toMatchObject({ htu: scene.server.url, jkt: key.thumbprint });
  });

  it('are sent as bearer tokens where the authorization server does not bind them (CLI-19)', async () => {
    scene.issuer.reply = () => json(scene.issuer.grant({ scope: 'desk:read' }));
    const source = new ClientCredentialsTokenSource({ serverUrl: scene.server.url, ...CLIENT, dpop: true });
    await expect(scene.call(source)).resolves.toBe(200);
    expect(source.proof).toBeUndefined();
    expect(scene.server.party.requests.at(-1)?.headers).toMatchObject({ authorization: 'Bearer token-1' });
  });

  it('are asked for again with the nonce that the endpoint wants, once (CLI-19)', async () => {
    const nonces: unknown[] = [];
    scene.issuer.reply = ({ headers }) => {
      const { nonce } = decodeJwt(String(headers['dpop']));
      nonces.push(nonce);
      const wanted = { error: 'use_dpop_nonce' };
      return (response, seen) => {
        response.setHeader('dpop-nonce', `nonce-${nonces.length}`);
        json(nonce === 'nonce-1' ? give() : wanted, nonce === 'nonce-1' ? 200 : 400)(response, seen);
      };
    };
    const source = new ClientCredentialsTokenSource({ serverUrl: scene.server.url, ...CLIENT, dpop: true });
    await expect(scene.call(source)).resolves.toBe(200);
    expect(nonces).toEqual([undefined, 'nonce-1']);
    await source.tokenForScopes(['desk:write']).catch(() => undefined);
    expect(nonces).toEqual([undefined, 'nonce-1', 'nonce-2', 'nonce-3']);
  });

  it('are asked for once where nothing was to be proven (CLI-19)', async () => {
    scene.issuer.reply = () => (response, seen) => {
      response.setHeader('dpop-nonce', 'nonce-1');
      json({ error: 'use_dpop_nonce' }, 400)(response, seen);
    };
    const source = new ClientCredentialsTokenSource({ serverUrl: scene.server.url, ...CLIENT });
    await expect(scene.call(source)).rejects.toMatchObject({ error: 'use_dpop_nonce' });
    expect(asked()).toHaveLength(1);
  });

  it('are had by an enterprise and by a workload too, by no assertion twice (CLI-16) (CLI-19)', async () => {
    const sso = await TokenParty.start();
    const type = 'urn:ietf:params:oauth:token-type:id-jag';
    sso.reply = () => json(sso.grant({ token_type: 'N_A', issued_token_type: type }));
    scene.issuer.reply =
      ({ headers }) =>
      (response, seen) => {
        response.setHeader('dpop-nonce', 'nonce-1');
        const hasNonce = decodeJwt(String(headers['dpop']))['nonce'] === 'nonce-1';
        json(hasNonce ? give() : { error: 'use_dpop_nonce' }, hasNonce ? 200 : 400)(response, seen);
      };
    const shared = { serverUrl: scene.server.url, ...CLIENT, dpop: true };
    const sources: readonly TokenSource[] = [
      new EnterpriseManagedTokenSource({
        ...shared,
        identityProvider: { issuer: sso.issuer, ...CLIENT },
        subjectToken: 'identity',
      }),
      new WorkloadIdentityTokenSource({ ...shared, assertion: 'identity' }),
    ];
    for (const source of sources) await expect(scene.call(source)).resolves.toBe(200);
    expect(scene.issuer.forms.map(({ assertion }) => assertion)).toEqual([
      'token-1',
      'token-2',
      'identity',
      'identity',
    ]);
    expect(sso.asked.map(({ headers }) => headers['dpop'])).toEqual([undefined, undefined]);
    await sso.stop();
  });
});

describe('A program at an authorization server that wants proofs with nonces', () => {
  let desk: Party;
  let machines: MachineServer;

  beforeEach(async () => {
    desk = await Party.start();
  });
  afterEach(() => Promise.all([desk.stop(), machines.stop()]));

  /** Takes bound tokens alone, with proofs that have its nonce. */
  function judge(): void {
    desk.at('/.well-known/oauth-protected-resource/mcp', (response, seen) => {
      const metadata = { resource: `${desk.origin}/mcp`, authorization_servers: [machines.issuer] };
      json(metadata)(response, seen);
    });
    desk.at('/mcp', (response, seen) => {
      void check(seen).then((code) => {
        if (code === 200) return json({})(response, seen);
        return status(code === 401 ? 401 : 500, {
          'www-authenticate': `DPoP error="${seen.headers.authorization ? 'use_dpop_nonce' : 'none'}"`,
          'dpop-nonce': 'nonce-of-the-desk',
        })(response, seen);
      });
    });
  }

  async function check(seen: SeenRequest): Promise<number> {
    const [scheme, token = ''] = seen.headers.authorization?.split(' ') ?? [];
    if (scheme !== 'DPoP') return 401;
    const proof = await readProof(seen);
    if (proof['nonce'] !== 'nonce-of-the-desk') return 401;
    const { cnf } = await machines.verify(token, `${desk.origin}/mcp`);
    const isBound =
      (cnf as { readonly jkt?: string }).jkt === proof['jkt'] && proof['htu'] === `${desk.origin}/mcp`;
    return isBound ? 200 : 500;
  }

  it.each(['client_secret_basic', 'private_key_jwt'] as const)(
    'gets a bound token by %s, and is let in (CLI-15) (CLI-19)',
    async (method) => {
      const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
      const jwk = { ...(await exportJWK(publicKey)), kid: 'job', alg: 'ES256', use: 'sig' };
      const isByKey = method === 'private_key_jwt';
      const client = isByKey ? { clientId: 'night-job', method, keys: [jwk] } : { ...CLIENT, method };
      machines = await MachineServer.start({ resource: `${desk.origin}/mcp`, client, wantsNonces: true });
      judge();
      const credentials = isByKey ? { clientId: 'night-job', privateKey } : CLIENT;
      const serverUrl = `${desk.origin}/mcp`;
      const source = new ClientCredentialsTokenSource({ serverUrl, ...credentials, dpop: true });
      const fetch = createAuthorizedFetch({ serverUrl, tokenSource: source });
      await expect(fetch(serverUrl)).resolves.toHaveProperty('status', 200);
      await expect(fetch(serverUrl)).resolves.toHaveProperty('status', 200);
      expect(machines.answers).toEqual(['400 use_dpop_nonce', '200 token']);
      expect(desk.paths.filter((path) => path === '/mcp')).toHaveLength(4);
    },
  );
});
