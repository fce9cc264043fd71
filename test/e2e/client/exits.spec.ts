import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import {
  ClientCredentialsTokenSource,
  createAuthorizedFetch,
  discoverMcpAuth,
  OAuthTokenSource,
  type OAuthTokenSourceOptions,
} from 'nestjs-mcp/client';
import { LoginScene } from '../../support/authorization/login-scene.js';
import { json } from '../../support/authorization/party.js';
import { TokenParty } from '../../support/authorization/token-party.js';

let scene: LoginScene;
let warnings: string[];
const onWarning = (text: string) => void warnings.push(text);

beforeEach(async () => {
  warnings = [];
  scene = await LoginScene.start();
});
afterEach(() => scene.stop());

/** A `fetch` for which the authorization server says something else of itself. */
function retell(change: (metadata: Record<string, unknown>) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (!url.includes('/.well-known/o') || url.includes('protected-resource') || !response.ok)
      return response;
    const metadata = (await response.json()) as Record<string, unknown>;
    change(metadata);
    return Response.json(metadata);
  };
}

describe('An authorization server that checks S256 without saying so, as Entra ID and Cognito do', () => {
  const silent = retell((metadata) => delete metadata['code_challenge_methods_supported']);
  const call = (options: Partial<OAuthTokenSourceOptions>) =>
    scene.createFetch({ fetch: silent, onWarning, ...options })(scene.server.url);

  it('lets nobody log in, and the error names the way out (PEER-04)', async () => {
    await expect(call({})).rejects.toMatchObject({
      code: 'pkce_unsupported',
      message: expect.stringContaining('add it to "assumeS256"'),
    });
    await expect(call({ assumeS256: ['https://other.example.com'] })).rejects.toMatchObject({
      code: 'pkce_unsupported',
    });
    expect(scene.visitor.opened).toEqual([]);
  });

  it('lets its user log in where it is named, by S256, which is warned of (PEER-04)', async () => {
    expect((await call({ assumeS256: [scene.login.issuer] })).status).toBe(200);
    expect(scene.visitor.opened[0]?.searchParams.get('code_challenge_method')).toBe('S256');
    expect(warnings).toEqual([expect.stringContaining(`"assumeS256" contains "${scene.login.issuer}"`)]);
  });

  it('stays refused where it lists other methods (PEER-04)', async () => {
    const plain = retell((metadata) => (metadata['code_challenge_methods_supported'] = ['plain']));
    const refused = call({ fetch: plain, assumeS256: [scene.login.issuer] });
    await expect(refused).rejects.toMatchObject({
      code: 'pkce_unsupported',
      message: expect.not.stringContaining('assumeS256'),
    });
  });
});

describe('An authorization server that names itself with a slash more', () => {
  const slashed = retell((metadata) => (metadata['issuer'] = `${String(metadata['issuer'])}/`));

  it('is refused, and the error names the way out (PEER-04)', async () => {
    const found = discoverMcpAuth(scene.server.url, { fetch: slashed });
    await expect(found).rejects.toMatchObject({
      code: 'issuer_mismatch',
      message: expect.stringContaining('set "ignoreIssuerSlash"'),
    });
  });

  it('is taken by its own name where that is asked for (PEER-04)', async () => {
    const options = { fetch: slashed, ignoreIssuerSlash: true };
    const { authorizationServer } = await discoverMcpAuth(scene.server.url, options);
    expect(authorizationServer.issuer).toBe(`${scene.login.issuer}/`);
    const other = retell((metadata) => (metadata['issuer'] = `${String(metadata['issuer'])}/other`));
    await expect(
      discoverMcpAuth(scene.server.url, { fetch: other, ignoreIssuerSlash: true }),
    ).rejects.toMatchObject({ code: 'issuer_mismatch', message: expect.not.stringContaining('Slash') });
  });

  it('is the one that is configured without it (PEER-04)', async () => {
    const source = new OAuthTokenSource({
      serverUrl: scene.server.url,
      issuer: scene.login.issuer,
      fetch: slashed,
      ignoreIssuerSlash: true,
      store: scene.store,
      openBrowser: async (url) => {
        throw new Error(new URL(url).origin);
      },
      present: (url) => {
        throw new Error(`would log in at ${new URL(url).origin}`);
      },
      onWarning,
    });
    const call = createAuthorizedFetch({ serverUrl: scene.server.url, tokenSource: source });
    await expect(call(scene.server.url)).rejects.toThrow(`would log in at ${scene.login.issuer}`);
    expect(warnings).toEqual([expect.stringContaining('"ignoreIssuerSlash" is true')]);
  });
});

describe('A server in a network of containers', () => {
  /** Has the names of a network of containers lead to the parties. */
  const network: typeof fetch = async (input, init) => {
    const { server, login } = scene;
    const url = (input instanceof Request ? input.url : String(input))
      .replace('http://desk:3000', server.party.origin)
      .replace('http://keycloak:8080', login.issuer);
    const response = await fetch(url, init);
    if (!url.includes('/.well-known/')) return response;
    const text = (await response.text())
      .replaceAll(server.party.origin, 'http://desk:3000')
      .replaceAll(login.issuer, 'http://keycloak:8080');
    return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
  };

  it('is refused, and the error names the way out (PEER-04)', async () => {
    const found = discoverMcpAuth('http://desk:3000/mcp', { fetch: network });
    await expect(found).rejects.toMatchObject({
      code: 'insecure_endpoint',
      message: expect.stringContaining('hosts in "insecureHosts"'),
    });
    const half = discoverMcpAuth('http://desk:3000/mcp', { fetch: network, insecureHosts: ['desk'] });
    await expect(half).rejects.toMatchObject({ code: 'insecure_endpoint', url: 'http://keycloak:8080' });
  });

  it('is found with who gives its tokens where both are named (PEER-04)', async () => {
    const options = { fetch: network, insecureHosts: ['desk', 'keycloak'] };
    const { authorizationServer } = await discoverMcpAuth('http://desk:3000/mcp', options);
    expect(authorizationServer.token_endpoint).toBe('http://keycloak:8080/token');
  });

  it('gets no token by a "fetch" that was not told so (PEER-04)', () => {
    const tokenSource = { token: async () => 'a-token' };
    const create = (insecureHosts?: readonly string[]) =>
      createAuthorizedFetch({ serverUrl: 'http://desk:3000/mcp', tokenSource, insecureHosts });
    expect(() => create()).toThrow('"insecureHosts"');
    expect(() => create(['http://desk'])).toThrow('The "insecureHosts" must be an array of hosts');
    expect(() => create(['desk'])).not.toThrow();
  });
});

describe('An assertion of a client (RFC 7523)', () => {
  it.each([
    [undefined, false],
    ['token_endpoint' as const, true],
  ])('with the audience %s names what it should (PEER-04)', async (assertionAudience, isEndpoint) => {
    const party = await TokenParty.start();
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    party.reply = ({ form }) => {
      const { aud } = decodeJwt(form['client_assertion'] ?? '');
      const isTaken = aud === party.tokenEndpoint;
      return isTaken ? json(party.grant()) : json({ error: 'invalid_client' }, 401);
    };
    const source = new ClientCredentialsTokenSource({
      serverUrl: 'https://desk.example.com/mcp',
      clientId: 'night-job',
      issuer: party.issuer,
      tokenEndpoint: party.tokenEndpoint,
      privateKey: await exportJWK(privateKey),
      assertionAudience,
      onWarning,
    });
    const token = source.tokenForScopes([]).catch(String);
    const expected = isEndpoint
      ? 'token-1'
      : 'if it does not accept assertions for its issuer, set "assertionAudience"';
    expect(await token).toContain(expected);
    expect(warnings).toHaveLength(isEndpoint ? 1 : 0);
    await party.stop();
  });
});
