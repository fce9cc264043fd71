import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { AuthorizationServer } from '../../../sample/03-protected/authorization-server/authorization-server.js';
import { DESK_SCOPES } from '../../../sample/03-protected/authorization-server/scopes.js';
import { ScriptedBrowser } from '../../../sample/03-protected/demo/scripted-browser.js';

const RESOURCE = 'http://127.0.0.1:1/mcp';
const CALLBACK = 'http://127.0.0.1:1/callback';
const ORIGIN = 'http://localhost:6274';
const VERIFIER = 'v'.repeat(43);

let server: AuthorizationServer;

beforeAll(async () => {
  server = await AuthorizationServer.start({ port: 0, resource: RESOURCE });
});

afterAll(() => server.stop());

type Json = Record<string, unknown>;

async function getJson(path: string): Promise<Json> {
  return (await (await fetch(server.issuer + path)).json()) as Json;
}

async function register(metadata: Json = {}): Promise<{ status: number; client: Json }> {
  const response = await fetch(`${server.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ORIGIN },
    body: JSON.stringify({ redirect_uris: [CALLBACK], client_name: 'Spec', ...metadata }),
  });
  return { status: response.status, client: (await response.json()) as Json };
}

/** The address that a client sends its user to; a parameter that is `undefined` is left out. */
function authorizationUrl(clientId: string, parameters: Record<string, string | undefined> = {}): URL {
  const url = new URL('/authorize', server.issuer);
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    state: 'spec',
    scope: 'desk:read offline_access',
    prompt: 'consent',
    resource: RESOURCE,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

async function requestTokens(parameters: Record<string, string>): Promise<Json> {
  const body = new URLSearchParams({ resource: RESOURCE, ...parameters });
  const response = await fetch(`${server.issuer}/token`, { method: 'POST', body });
  return (await response.json()) as Json;
}

/** Lets a user allow some scopes, and gives the tokens. */
async function logIn(browser: ScriptedBrowser, clientId: string, scope?: string): Promise<Json> {
  const { address } = await browser.decide(authorizationUrl(clientId, { scope }), CALLBACK);
  return requestTokens({
    grant_type: 'authorization_code',
    code: address.searchParams.get('code') ?? '',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  });
}

async function createClient(): Promise<string> {
  return String((await register()).client['client_id']);
}

describe('the authorization server of 03-protected: what clients find', () => {
  it.each(['oauth-authorization-server', 'openid-configuration'])('describes itself at %s', async (name) => {
    expect(await getJson(`/.well-known/${name}`)).toMatchObject({
      issuer: server.issuer,
      registration_endpoint: `${server.issuer}/register`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: expect.arrayContaining(['desk:read', 'desk:write', 'offline_access']),
      authorization_response_iss_parameter_supported: true,
    });
  });

  it.each(['/.well-known/oauth-authorization-server', '/keys'])('lets pages read %s', async (path) => {
    const { headers } = await fetch(server.issuer + path, { headers: { origin: ORIGIN } });
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });

  it.each(['/register', '/token'])('lets pages post to %s', async (path) => {
    const preflight = await fetch(server.issuer + path, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toMatch(/^(?:\*|http:\/\/localhost:6274)$/);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type');
  });
});

describe('the authorization server of 03-protected: registration', () => {
  it('takes a client that registers itself, and holds it to no scope', async () => {
    const { status, client } = await register({ scope: 'desk:read', application_type: 'web' });
    expect(status).toBe(201);
    expect(client).toMatchObject({ application_type: 'native', token_endpoint_auth_method: 'none' });
    expect(client).not.toHaveProperty('scope');
  });

  it('takes callbacks on any loopback port, with TLS, and of a scheme of the client alone', async () => {
    const { status } = await register({
      redirect_uris: [
        'http://localhost:8787/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'cursor://anysphere.cursor-mcp/oauth/callback',
      ],
    });
    expect(status).toBe(201);
  });

  it.each([
    [
      'a callback elsewhere without TLS',
      { redirect_uris: ['http://desk.example.com/callback'] },
      'invalid_redirect_uri',
    ],
    [
      'a client with a secret',
      { token_endpoint_auth_method: 'client_secret_basic' },
      'invalid_client_metadata',
    ],
  ])('refuses %s', async (_what, metadata, error) => {
    const { status, client } = await register(metadata);
    expect(status).toBe(400);
    expect(client['error']).toBe(error);
  });
});

describe('the authorization server of 03-protected: tokens', () => {
  it('gives tokens for the resource alone, signed by its key', async () => {
    const clientId = await createClient();
    const tokens = await logIn(new ScriptedBrowser('Ada Lovelace'), clientId, 'desk:read offline_access');
    const keys = createRemoteJWKSet(new URL('/keys', server.issuer));
    const options = { issuer: server.issuer, audience: RESOURCE, typ: 'at+jwt', algorithms: ['ES256'] };
    const { payload } = await jwtVerify(String(tokens['access_token']), keys, options);
    expect(payload).toMatchObject({ sub: 'ada-lovelace', scope: 'desk:read', client_id: clientId });
  });

  it('gives a token with both scopes once the user has allowed the second', async () => {
    const clientId = await createClient();
    const browser = new ScriptedBrowser('ada');
    await logIn(browser, clientId, 'desk:read offline_access');
    const { scope } = await logIn(browser, clientId, 'desk:read desk:write offline_access');
    expect(scope).toBe('desk:read desk:write');
  });

  it('takes whoever asks for no scope to ask for all of them', async () => {
    const { scope } = await logIn(new ScriptedBrowser('ada'), await createClient());
    expect(scope).toBe(DESK_SCOPES.join(' '));
  });

  it('refreshes a token once with its scopes', async () => {
    const clientId = await createClient();
    const tokens = await logIn(new ScriptedBrowser('ada'), clientId, 'desk:read offline_access');
    const refresh = {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: String(tokens['refresh_token']),
    };
    expect(await requestTokens(refresh)).toMatchObject({ scope: 'desk:read', token_type: 'Bearer' });
    expect(await requestTokens(refresh)).toMatchObject({ error: 'invalid_grant' });
  });

  it.each([
    ['for another resource', { resource: 'http://127.0.0.1:2/mcp' }, 'invalid_target'],
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['by the plain method of PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
  ])('refuses a request %s', async (_what, parameters, error) => {
    const url = authorizationUrl(await createClient(), parameters);
    const response = await fetch(url, { redirect: 'manual' });
    const address = new URL(response.headers.get('location') ?? '');
    expect(address.origin + address.pathname).toBe(CALLBACK);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ error, state: 'spec' });
  });
});

describe('the authorization server of 03-protected: the consent page', () => {
  it('asks for what is missing, and says what was allowed before', async () => {
    const clientId = await createClient();
    const browser = new ScriptedBrowser('ada');
    await logIn(browser, clientId, 'desk:read offline_access');
    const url = authorizationUrl(clientId, { scope: 'desk:read desk:write offline_access' });
    const { asked, loggedIn } = await browser.decide(url, CALLBACK);
    expect(loggedIn).toBe(false);
    expect(asked['desk:read']).toContain('allowed before');
    expect(asked['desk:write']).not.toContain('allowed before');
  });

  it('tells the client that the user said no', async () => {
    const url = authorizationUrl(await createClient());
    const { address } = await new ScriptedBrowser('ada').decide(url, CALLBACK, 'deny');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'spec',
      iss: server.issuer,
    });
  });

  it('asks again for a name that is none', async () => {
    const url = authorizationUrl(await createClient());
    await expect(new ScriptedBrowser('<ada>').decide(url, CALLBACK)).rejects.toThrow('asks again');
  });

  it('shows the name of a client as text, and where the answer goes', async () => {
    const { client } = await register({ client_name: '<img src=x>' });
    const redirect = await fetch(authorizationUrl(String(client['client_id'])), { redirect: 'manual' });
    const cookie = redirect.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const page = await fetch(new URL(redirect.headers.get('location') ?? '', server.issuer), {
      headers: { cookie },
    });
    const html = await page.text();
    expect(html).toContain('&lt;img src=x&gt; wants to use http://127.0.0.1:1/mcp');
    expect(html).toContain('<code>http://127.0.0.1:1</code>');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it.each([
    ['text/html', '<p>client is invalid.</p>'],
    ['application/json', '{"error":"invalid_client"'],
  ])('says in %s that it does not know the client', async (accept, answer) => {
    const response = await fetch(authorizationUrl('nobody'), { headers: { accept } });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain(accept);
    expect(await response.text()).toContain(answer);
  });

  it('says in a sentence that there is nothing to decide', async () => {
    const response = await fetch(`${server.issuer}/consent/nothing`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('This request has ended, or was begun in another browser.');
  });
});
