import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationClient, post } from '../../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  type Adapter,
} from '../../../support/authorization/authorization-server-scene.js';
import { sendBytes } from '../../../support/clients/raw-http.js';
import { expectError, expectNoSecret, type Attack, type Values } from './attack.js';

const GRANTS: readonly Attack<Values>[] = [
  ['the client credentials grant', 'RFC 6749 §4.4', { grant_type: 'client_credentials' }],
  ['the password grant', 'RFC 9700 §2.4', { grant_type: 'password', username: 'ada', password: 'x' }],
  ['the implicit grant', 'RFC 9700 §2.1.2', { grant_type: 'implicit' }],
  ['the grant for devices', 'RFC 8628', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }],
  ['token exchange', 'RFC 8693', { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' }],
  [
    'an assertion as grant',
    'RFC 7523',
    { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'x' },
  ],
  ['the name of a prototype as grant', 'CWE-1321', { grant_type: '__proto__' }],
  ['no grant', 'RFC 6749 §5.2', {}],
];

const REQUESTS: readonly Attack<readonly [error: string, changes: Values]>[] = [
  ['the response type token', 'RFC 9700 §2.1.2', ['unsupported_response_type', { response_type: 'token' }]],
  ['the response type id_token', 'RFC 9700 §2.1.2', ['unsupported_response_type', { response_type: 'id_token', nonce: 'x' }]],
  ['the response type code token', 'RFC 9700 §2.1.2', ['unsupported_response_type', { response_type: 'code token' }]],
  ['no response type', 'RFC 6749 §4.1.1', ['invalid_request', { response_type: undefined }]],
  ['a request object', 'RFC 9101', ['request_not_supported', { request: 'eyJhbGciOiJub25lIn0.e30.' }]],
  ['the URL of a request object', 'RFC 9101 §10.4, CWE-918', ['request_uri_not_supported', { request_uri: 'https://169.254.169.254/' }]],
  ['a registration', 'OpenID Connect Core §7.2', ['registration_not_supported', { registration: '{}' }]],
  ['an unknown response mode', 'OAuth 2.0 Multiple Response Types', ['unsupported_response_mode', { response_mode: 'web_message' }]],
  ['a response in a fragment', 'RFC 9700 §4.1.1', ['unsupported_response_mode', { response_mode: 'fragment' }]],
  ['a response in a form', 'OAuth 2.0 Form Post Response Mode', ['unsupported_response_mode', { response_mode: 'form_post' }]],
  ['a response as a JWT', 'JARM', ['unsupported_response_mode', { response_mode: 'query.jwt' }]],
  ['an unknown prompt', 'OpenID Connect Core §3.1.2.1', ['invalid_request', { prompt: 'maybe' }]],
  ['a scope with other characters', 'RFC 6749 §3.3', ['invalid_scope', { scope: 'desk:read "\\' }]],
  ['a hint that is no token', 'OpenID Connect Core §3.1.2.1', ['invalid_request', { scope: 'openid', id_token_hint: 'x' }]],
]; // prettier-ignore

/** Targets and methods that lead to no endpoint. */
const TARGETS: readonly string[] = [
  'GET /oauth/token', 'PUT /oauth/token', 'DELETE /oauth/register', 'GET /oauth/revoke', 'POST /oauth/jwks',
  'GET /oauth/', 'GET /oauth//', 'GET /oauth///', 'GET /oauth//evil.example/callback', 'GET /oauth//[', 'GET /oauth/?',
  'GET /oauth/../oauth/authorize', 'GET /oauth/%', 'GET /oauth/%ff', 'GET /oauth/interaction', 'GET /oauth/interaction/',
  'POST /oauth/interaction/x', 'GET /oauth/interaction/%00', 'GET /oauth/interaction/__proto__/finish', 'GET /oauth/authorize/',
  'GET /oauth/authorize/x', 'POST /oauth/authorize', 'GET /oauth/authorize?%', 'GET /oauth/authorize?client_id[]=x',
  'GET /oauth/authorize?__proto__=x&scope=&scope=', 'GET /oauth/userinfo', 'GET /oauth/me', 'POST /oauth/introspect', 'POST /oauth/request',
  'GET /oauth/session/end', 'POST /oauth/session/end/confirm', 'GET /oauth/device', 'POST /oauth/device/auth',
  'POST /oauth/backchannel', 'TRACE /oauth/token', 'PROPFIND /oauth/authorize', 'GET /oauth/callback/',
  'OPTIONS /oauth/interaction/x', 'GET /oauth/callback?state[]=x', `GET /oauth/authorize?state=${'s'.repeat(9000)}`,
]; // prettier-ignore

describe.each<Adapter>(['express', 'fastify'])('An attack on the endpoints on %s', (adapter) => {
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start({ adapter });
    client = await AuthorizationClient.register(scene);
  });
  afterAll(() => scene.stop());

  it.each(GRANTS)('is refused at the token endpoint: %s [%s] (AS-01)', async (_name, _source, form) => {
    const answer = await client.requestToken({ ...form, scope: 'desk:read' });
    expectError(answer, form['grant_type'] === undefined ? 'invalid_request' : 'unsupported_grant_type');
  });

  it.each<Attack<readonly [body: string, type?: string]>>([
    ['JSON', 'RFC 6749 §3.2', ['{"grant_type":"authorization_code"}', 'application/json']],
    ['text', 'CWE-352', ['grant_type=authorization_code', 'text/plain']],
    ['nothing', 'RFC 6749 §3.2', ['']],
    ['a form that is too long', 'CWE-400', [`code=${'a'.repeat(100_000)}`]],
    ['a thousand parameters', 'CWE-400', [Array.from({ length: 5000 }, (_, at) => `p${at}=x`).join('&')]],
    [
      'a parameter twice',
      'RFC 6749 §3.2',
      ['token=x&token=y&grant_type=authorization_code&grant_type=refresh_token&client_id={client}'],
    ],
    ['a client twice', 'RFC 6749 §3.2', ['grant_type=authorization_code&client_id=x&client_id=y']],
    ['an array', 'CWE-1321', ['client_id[]=x&grant_type[__proto__]=x']],
    ['malformed escapes', 'CWE-20', ['client_id={client}&grant_type=%ff%&grant_type=%00&token=%&token=%00']],
  ])(
    'is refused as the body of the token endpoint: %s [%s] (AS-01)',
    async (_name, _source, [body, type]) => {
      for (const endpoint of ['token', 'revoke']) {
        const answer = await post(
          `${scene.issuer}/${endpoint}`,
          body.replace('{client}', client.clientId),
          type,
        );
        expect({ endpoint, status: answer.status }).toEqual({ endpoint, status: 400 });
        expect(answer.body['error']).toBe('invalid_request');
        expectNoSecret(answer);
      }
    },
  );

  it.each([
    'Basic',
    'Basic %',
    'Basic eA==',
    'Bearer x',
    'Basic X19wcm90b19fOng=',
    `Basic ${'A'.repeat(4000)}`,
  ])('is refused as authentication: %s [RFC 6749 §2.3] (AS-01)', async (authorization) => {
    const response = await fetch(`${scene.issuer}/token`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=authorization_code&code=x',
    });
    expect([400, 401]).toContain(response.status);
    expect(await response.text()).toMatch(/invalid_(?:request|client)/);
  });

  it.each(REQUESTS)(
    'is refused at the authorization endpoint: %s [%s] (AS-01)',
    async (_name, _source, [error, changes]) => {
      const { headers, page } = await client.browser.request(client.buildUrl(changes));
      const { searchParams, hash } = new URL(String(headers.get('location')));
      expect(`${searchParams.toString()}${hash}`).toContain(`error=${error}`);
      expect(`${searchParams.toString()}${hash}${page}`).not.toMatch(/code=|token=/);
      expect(scene.upstream.exchanges).toEqual([]);
    },
  );

  it('is refused: a parameter twice at the authorization endpoint [RFC 6749 §3.1] (AS-01)', async () => {
    for (const name of ['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge', 'prompt']) {
      const url = new URL(client.buildUrl({ prompt: 'consent' }));
      url.searchParams.append(name, String(url.searchParams.get(name)));
      const { headers, page } = await client.browser.request(url);
      expect({ name, answer: `${headers.get('location')}${page}` }).toEqual({
        name,
        answer: expect.stringMatching(/twice/),
      });
    }
  });

  it.each(TARGETS)('is no error of the server: %s [CWE-20] (AS-01)', async (target) => {
    const answer = await sendBytes(
      Number(new URL(scene.origin).port),
      `${target} HTTP/1.1\r\nhost: evil.example\r\naccept: text/html\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 [1234]\d\d /);
    expect(answer).not.toMatch(/evil\.example|\n\s+at |node_modules/);
  });

  it('has the issuer in its metadata, whatever a request contains [RFC 8414 §3.3, CWE-644] (AS-01)', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server/oauth',
      '/oauth/.well-known/openid-configuration',
    ]) {
      const headers = {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      };
      const response = await fetch(`${scene.origin}${path}`, { headers });
      const text = await response.text();
      expect({ path, issuer: (JSON.parse(text) as { issuer: string }).issuer }).toEqual({
        path,
        issuer: scene.issuer,
      });
      expect(text).not.toContain('evil.example');
    }
  });

  it('lists the response mode "query" alone, and accepts it [RFC 8414 §2] (AS-01)', async () => {
    const metadata = await fetch(`${scene.origin}/.well-known/oauth-authorization-server/oauth`);
    await expect(metadata.json()).resolves.toMatchObject({ response_modes_supported: ['query'] });
    expect((await client.authorize({ response_mode: 'query' })).get('code')).not.toBeNull();
  });

  it('refuses other response modes for HEAD too, which the engine takes for GET [RFC 9700 §4.1.1] (AS-01)', async () => {
    const mode = async (response_mode: string) => {
      const url = client.buildUrl({ response_mode });
      const { headers } = await fetch(url, { method: 'HEAD', redirect: 'manual' });
      return new URL(headers.get('location') ?? '', scene.origin);
    };
    expect((await mode('fragment')).searchParams.get('error')).toBe('unsupported_response_mode');
    expect((await mode('query')).searchParams.get('error')).toBeNull();
  });

  it('has no page to log out, which nobody can be lured to [OpenID Connect RP-Initiated Logout §6] (AS-02)', async () => {
    const metadata = await fetch(`${scene.issuer}/.well-known/openid-configuration`);
    expect(Object.keys((await metadata.json()) as object)).not.toContain('end_session_endpoint');
    for (const method of ['GET', 'POST'])
      expect((await fetch(`${scene.issuer}/session/end`, { method })).status).toBe(404);
    const confirmed = await fetch(`${scene.issuer}/session/end/confirm`, { method: 'POST' });
    expect(confirmed.status).toBe(400);
    expect((await fetch(`${scene.issuer}/jwks`)).status).toBe(200);
  });

  it('publishes no private key [RFC 7517 §9] (AS-03)', async () => {
    const response = await fetch(`${scene.issuer}/jwks`);
    const { keys } = (await response.json()) as { readonly keys: readonly object[] };
    for (const key of keys) expect(Object.keys(key)).not.toContain('d');
    // Those of the previous, this and the next period.
    expect(keys).toHaveLength(3);
  });
});
