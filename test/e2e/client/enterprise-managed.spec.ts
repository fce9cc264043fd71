import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import {
  EnterpriseManagedTokenSource,
  InsecureEndpointError,
  type EnterpriseManagedOptions,
} from 'nestjs-mcp/client';
import { GrantScene } from '../../support/authorization/grant-scene.js';
import { json, status, type Reply } from '../../support/authorization/party.js';
import { TokenParty } from '../../support/authorization/token-party.js';

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const CLIENT = { clientId: 'assistant', clientSecret: 'the-secret-at-the-desk' };
const AT_SSO = { clientId: 'assistant-at-sso', clientSecret: 'the-secret-at-sso' };
const ID_TOKEN = 'the-identity-of-ada';

let scene: GrantScene;
let sso: TokenParty;
let assertions: number;

beforeEach(async () => {
  [scene, sso] = await Promise.all([GrantScene.start(), TokenParty.start()]);
  assertions = 0;
  sso.reply = () => json(assert());
});
afterEach(() => Promise.all([scene.stop(), sso.stop()]));

function assert(members: { readonly [name: string]: unknown } = {}) {
  assertions += 1;
  return {
    access_token: `assertion-${assertions}`,
    issued_token_type: ID_JAG,
    token_type: 'N_A',
    ...members,
  };
}

function createSource(options: Partial<EnterpriseManagedOptions> = {}): EnterpriseManagedTokenSource {
  return new EnterpriseManagedTokenSource({
    serverUrl: scene.server.url,
    ...CLIENT,
    identityProvider: { issuer: sso.issuer, ...AT_SSO },
    subjectToken: ID_TOKEN,
    ...options,
  });
}

const basic = ({ clientId, clientSecret }: typeof CLIENT): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

describe('A client of an enterprise (RFC 8693, RFC 7523)', () => {
  it('exchanges the identity for an assertion, and that for a token (CLI-16)', async () => {
    await expect(scene.call(createSource())).resolves.toBe(200);
    expect(sso.forms).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: ID_JAG,
        audience: scene.issuer.issuer,
        resource: scene.server.url,
        scope: 'desk:read',
        subject_token: ID_TOKEN,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      },
    ]);
    expect(scene.issuer.forms).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: 'assertion-1',
        scope: 'desk:read',
        resource: scene.server.url,
      },
    ]);
  });

  it('shows each side who it is there, and nothing of what it is elsewhere (CLI-16)', async () => {
    await scene.call(createSource());
    expect(sso.asked[0]?.headers.authorization).toBe(basic(AT_SSO));
    expect(scene.issuer.asked[0]?.headers.authorization).toBe(basic(CLIENT));
    expect(scene.issuer.asked[0]?.body).not.toContain(ID_TOKEN);
    expect(scene.server.party.requests.map(({ body }) => body).join()).not.toMatch(/assertion|identity/);
  });

  it('uses each assertion once (CLI-16)', async () => {
    const source = createSource();
    await scene.call(source);
    await scene.call(source, '/write');
    scene.issuer.revoke('token-2');
    await scene.call(source);
    expect(scene.issuer.forms.map(({ assertion }) => assertion)).toEqual([
      'assertion-1',
      'assertion-2',
      'assertion-3',
    ]);
  });

  it('asks for the identity anew each time, where it is told how (CLI-16)', async () => {
    let identities = 0;
    const subjectTokenType = 'urn:ietf:params:oauth:token-type:saml2';
    const source = createSource({
      subjectTokenType,
      subjectToken: async () => `identity-${(identities += 1)}`,
    });
    await scene.call(source);
    await scene.call(source, '/write');
    expect(sso.forms).toMatchObject([
      { subject_token: 'identity-1', subject_token_type: subjectTokenType },
      { subject_token: 'identity-2', subject_token_type: subjectTokenType },
    ]);
  });

  it('looks for nothing where it is told the endpoints (CLI-16)', async () => {
    const { tokenEndpoint, issuer } = scene.issuer;
    const identityProvider = { tokenEndpoint: sso.tokenEndpoint, clientId: AT_SSO.clientId };
    await expect(scene.call(createSource({ tokenEndpoint, issuer, identityProvider }))).resolves.toBe(200);
    expect([...sso.party.paths, ...scene.issuer.party.paths]).toEqual(['/tokens', '/tokens']);
    expect(sso.forms[0]).toMatchObject({ client_id: AT_SSO.clientId, audience: issuer });
  });

  it('signs for the identity provider with a key of its own (CLI-16)', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const identityProvider = {
      issuer: sso.issuer,
      clientId: AT_SSO.clientId,
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
    await scene.call(createSource({ identityProvider }));
    const keys = createLocalJWKSet({ keys: [publicKey.export({ format: 'jwk' })] });
    const { payload } = await jwtVerify(sso.forms[0]?.['client_assertion'] ?? '', keys);
    expect(payload).toMatchObject({ iss: AT_SSO.clientId, sub: AT_SSO.clientId, aud: sso.issuer });
  });

  it('takes nothing else for an assertion (CLI-16)', async () => {
    sso.reply = () => json(assert({ issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }));
    const error = await scene.call(createSource()).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'token_request_refused', error: 'invalid_response' });
    expect(inspect(error, { depth: 9 })).not.toContain('assertion-1');
    expect(scene.issuer.asked).toEqual([]);
  });

  it('says which side refused it, and tries nothing else (CLI-16)', async () => {
    sso.reply = () => json({ error: 'invalid_grant', error_description: `${ID_TOKEN} is over` }, 400);
    const error = await scene.call(createSource()).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'token_request_refused', error: 'invalid_grant' });
    expect(String(error)).toContain(sso.tokenEndpoint);
    expect(inspect(error, { depth: 9 })).not.toContain(ID_TOKEN);
    expect([sso.asked.length, scene.issuer.asked.length]).toEqual([1, 0]);
  });

  it('finds an identity provider that was away with the next call (CLI-16)', async () => {
    const source = createSource({ identityProvider: { issuer: `${sso.issuer}/tenant`, ...AT_SSO } });
    await expect(scene.call(source)).rejects.toMatchObject({ code: 'discovery_failed' });
    const tenant = { issuer: `${sso.issuer}/tenant`, token_endpoint: sso.tokenEndpoint };
    sso.party.at('/.well-known/oauth-authorization-server/tenant', json(tenant));
    await expect(scene.call(source)).resolves.toBe(200);
  });

  it.each<[string, Reply]>([
    ['is no longer where it was', status(404)],
    ['takes no requests there', status(405)],
    ['sends elsewhere', status(308, { location: '/moved' })],
    ['does not answer there', (response) => response.destroy()],
  ])('looks again for an identity provider that %s (CLI-16)', async (_what, reply) => {
    const source = createSource();
    await scene.call(source);
    sso.party.at('/tokens', reply).at('/moved', (response, seen) => json(assert())(response, seen));
    sso.metadata['token_endpoint'] = `${sso.issuer}/moved`;
    await expect(scene.call(source, '/write')).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:token_request_refused|no_answer)$/),
    });
    expect(sso.party.paths).not.toContain('/moved');
    await expect(scene.call(source, '/write')).resolves.toBe(200);
  });

  it.each([
    [{ identityProvider: AT_SSO }, /"identityProvider.issuer" is required/],
    [
      { identityProvider: { tokenEndpoint: 'https://sso.example.org/t', clientId: 'a', privateKey: {} } },
      /"identityProvider.issuer" is required/,
    ],
    [
      {
        identityProvider: {
          issuer: 'https://sso.example.org',
          clientId: 'a',
          authenticationMethod: 'client_secret_post' as const,
        },
      },
      /"identityProvider.clientSecret" is required/,
    ],
    [{ tokenEndpoint: 'https://login.example.com/tokens' }, /"issuer" is required with "tokenEndpoint"/],
  ])('is refused where it could not ask: %j (CLI-16)', (options, text) => {
    expect(() => createSource(options)).toThrow(text);
  });

  it.each(['issuer', 'tokenEndpoint'])(
    'sends no identity by an insecure "%s" (CLI-10) (CLI-16)',
    (member) => {
      const identityProvider = {
        issuer: 'https://sso.example.org',
        ...AT_SSO,
        [member]: 'http://sso.example.org/tokens',
      };
      expect(() => createSource({ identityProvider })).toThrow(InsecureEndpointError);
    },
  );
});
