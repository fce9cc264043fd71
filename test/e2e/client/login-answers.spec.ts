import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createAuthorizedFetch,
  MemoryCredentialStore,
  OAuthTokenSource,
  type Authorizer,
  type OAuthTokenSourceOptions,
} from 'nestjs-mcp/client';
import { json, Party, redirect } from '../../support/authorization/party.js';

const CODE = 'the-code-of-the-login';
const ACCESS = 'the-access-token';

let server: Party;
let issuer: Party;
let metadata: Record<string, unknown>;

beforeEach(async () => {
  [server, issuer] = await Promise.all([Party.start(), Party.start()]);
  const serverUrl = `${server.origin}/mcp`;
  metadata = {
    issuer: issuer.origin,
    authorization_endpoint: `${issuer.origin}/login?tenant=a`,
    token_endpoint: `${issuer.origin}/tokens`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
  const place = '/.well-known/oauth-protected-resource/mcp';
  server.at(place, json({ resource: serverUrl, authorization_servers: [issuer.origin] }));
  server.at('/mcp', (response, { headers }) => {
    const isAllowed = headers.authorization === `Bearer ${ACCESS}`;
    response.writeHead(isAllowed ? 200 : 401, { 'www-authenticate': 'Bearer' }).end();
  });
  issuer.at('/.well-known/oauth-authorization-server', (response, seen) => json(metadata)(response, seen));
  issuer.at('/tokens', json({ access_token: ACCESS, token_type: 'Bearer', expires_in: 600 }));
});
afterEach(() => Promise.all([server.stop(), issuer.stop()]));

/** A user who comes back with what the test says, whatever they were asked. */
class FixedAuthorizer implements Authorizer {
  readonly redirectUri = 'http://127.0.0.1:1/callback';
  readonly sent: URL[] = [];
  closed = 0;

  constructor(private readonly answer: (state: string) => Record<string, string> | string) {}

  async authorize(url: URL): Promise<URL> {
    this.sent.push(url);
    const answer = this.answer(url.searchParams.get('state') ?? '');
    const query = typeof answer === 'string' ? answer : new URLSearchParams(answer).toString();
    return new URL(`?${query}`, this.redirectUri);
  }

  async close(): Promise<void> {
    this.closed += 1;
  }
}

function call(authorizer: Authorizer, options: Partial<OAuthTokenSourceOptions> = {}): Promise<Response> {
  const serverUrl = `${server.origin}/mcp`;
  const store = new MemoryCredentialStore();
  const settings = { serverUrl, clientId: 'desk', authorizer, store, ...options };
  return createAuthorizedFetch({ serverUrl, tokenSource: new OAuthTokenSource(settings) })(serverUrl);
}

const tokenRequests = () => issuer.requests.filter(({ path }) => path === '/tokens');

/** The error of a call that fails, with everything that can be read of it. */
async function failure(
  authorizer: Authorizer,
  options: Partial<OAuthTokenSourceOptions> = {},
): Promise<{ error: unknown; text: string }> {
  const error: unknown = await call(authorizer, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { message, stack = '', cause } = error as Error;
  return { error, text: [message, stack, String(cause), JSON.stringify(error)].join(' ') };
}

describe('The answer to a login (RFC 9207, RFC 6749 §4.1.2)', () => {
  it('is taken where it has the issuer, the state and a code (CLI-09)', async () => {
    const authorizer = new FixedAuthorizer((state) => ({ code: CODE, state, iss: issuer.origin }));
    expect((await call(authorizer)).status).toBe(200);
    expect(new URLSearchParams(tokenRequests()[0]?.body).get('code')).toBe(CODE);
    expect(authorizer.closed).toBe(1);
    expect(authorizer.sent[0]?.searchParams.get('tenant')).toBe('a');
  });

  it('need not name an issuer that the metadata does not promise, and that the client named (CLI-09)', async () => {
    delete metadata['authorization_response_iss_parameter_supported'];
    const authorizer = new FixedAuthorizer((state) => ({ code: CODE, state }));
    expect((await call(authorizer, { issuer: issuer.origin })).status).toBe(200);
  });

  it.each([
    ['another issuer', () => ({ iss: 'https://evil.example.com' })],
    ['a slash more', () => ({ iss: `${issuer.origin}/` })],
    ['another case', () => ({ iss: issuer.origin.toUpperCase() })],
    ['an empty name', () => ({ iss: '' })],
    ['none, though the metadata promises one', () => ({})],
  ])('is refused where it names %s, before anything is sent (CLI-09)', async (_case, named) => {
    const { error, text } = await failure(
      new FixedAuthorizer((state) => ({ code: CODE, state, ...named() })),
    );
    expect(error).toMatchObject({ code: 'issuer_mismatch', expected: issuer.origin });
    expect(text).not.toContain(CODE);
    expect(tokenRequests()).toEqual([]);
  });

  it('is refused where it names another issuer that the metadata does not promise (CLI-09)', async () => {
    delete metadata['authorization_response_iss_parameter_supported'];
    const iss = 'https://evil.example.com';
    const authorizer = new FixedAuthorizer((state) => ({ code: CODE, state, iss }));
    const { error } = await failure(authorizer, { issuer: issuer.origin });
    expect(error).toMatchObject({ code: 'issuer_mismatch', found: iss });
    expect(tokenRequests()).toEqual([]);
  });

  it('is refused where it names the issuer and another one (CLI-09)', async () => {
    const both = (state: string) =>
      `code=${CODE}&state=${state}&iss=${issuer.origin}&iss=https://evil.example.com`;
    expect((await failure(new FixedAuthorizer(both))).error).toMatchObject({ code: 'issuer_mismatch' });
    expect(tokenRequests()).toEqual([]);
  });

  it('says nothing where it is another issuer, not even why it failed (CLI-09)', async () => {
    const answer = { error: 'access_denied', error_description: 'call this number', iss: 'https://evil' };
    const { error, text } = await failure(new FixedAuthorizer((state) => ({ ...answer, state })));
    expect(error).toMatchObject({ code: 'issuer_mismatch' });
    expect(text).not.toMatch(/access_denied|call this number/);
  });

  it.each([
    ['of another login', 'state=another'],
    ['of this one and another', ''],
    ['of none', 'other=1'],
  ])('is refused where it has the state %s (CLI-09)', async (_case, query) => {
    const answer = (state: string) =>
      `code=${CODE}&iss=${issuer.origin}&${query || `state=${state}&state=another`}`;
    const { error, text } = await failure(new FixedAuthorizer(answer));
    expect(error).toMatchObject({ code: 'state_mismatch', issuer: issuer.origin });
    expect(text).not.toContain(CODE);
    expect(tokenRequests()).toEqual([]);
  });

  it.each([
    ['no code', (state: string) => ({ state }), 'invalid_response'],
    ['a token instead', (state: string) => ({ state, code: CODE, id_token: 'x' }), 'invalid_response'],
    ['a JWT instead', (state: string) => ({ state, response: 'x.y.z' }), 'invalid_response'],
    ['an error', (state: string) => ({ state, error: 'server_error' }), 'server_error'],
    ['an error and a code', (state: string) => ({ state, code: CODE, error: 'x' }), 'x'],
  ])('is no login where it has %s (CLI-09)', async (_case, answer, error) => {
    const authorizer = new FixedAuthorizer((state) => ({ ...answer(state), iss: issuer.origin }));
    const found = await failure(authorizer);
    expect(found.error).toMatchObject({ code: 'login_refused', error });
    expect(found.text).not.toContain(CODE);
    expect(tokenRequests()).toEqual([]);
    expect(authorizer.closed).toBe(1);
  });
});

describe('A login is not even begun', () => {
  it.each([undefined, [], ['plain']])('where PKCE with S256 is not checked: %j (CLI-07)', async (methods) => {
    metadata['code_challenge_methods_supported'] = methods;
    metadata['registration_endpoint'] = `${issuer.origin}/clients`;
    const authorizer = new FixedAuthorizer(() => ({}));
    await expect(call(authorizer)).rejects.toMatchObject({ code: 'pkce_unsupported' });
    expect(authorizer.sent).toEqual([]);
    expect(issuer.paths).toEqual(['/.well-known/oauth-authorization-server']);
  });

  it.each(['authorization_endpoint', 'token_endpoint'])('where there is no "%s" (CLI-10)', async (member) => {
    delete metadata[member];
    const { error } = await failure(
      new FixedAuthorizer((state) => ({ code: CODE, state, iss: issuer.origin })),
    );
    expect(error).toMatchObject({ code: 'discovery_failed' });
    expect(tokenRequests()).toEqual([]);
  });
});

describe('The answer of a token endpoint (RFC 6749 §5)', () => {
  const good = () => new FixedAuthorizer((state) => ({ code: CODE, state, iss: issuer.origin }));

  it('is not followed to another place (CLI-10)', async () => {
    const stranger = await Party.start();
    issuer.at('/tokens', redirect(`${stranger.origin}/tokens`, 307));
    const { error } = await failure(good());
    await stranger.stop();
    expect(error).toMatchObject({ code: 'token_request_refused', status: 307 });
    expect(stranger.requests).toEqual([]);
  });

  it.each([
    ['is no JSON', 'access_token=x', 'invalid_response'],
    ['has no token', { token_type: 'Bearer' }, 'invalid_response'],
    ['has a token of another kind', { access_token: 'secret-token', token_type: 'mac' }, 'invalid_response'],
    [
      'has a token that is bound to a key',
      { access_token: 'secret-token', token_type: 'DPoP' },
      'invalid_response',
    ],
  ])('is an error where it %s, which shows no token (CLI-09)', async (_case, body, reason) => {
    issuer.at('/tokens', json(body));
    const { error, text } = await failure(good());
    expect(error).toMatchObject({ code: 'token_request_refused', error: reason });
    expect(text).not.toMatch(/secret-token|the-code/);
  });

  it('is told where it is an error, by name and description (CLI-09)', async () => {
    issuer.at('/tokens', json({ error: 'invalid_grant', error_description: 'too late' }, 400));
    const { error } = await failure(good());
    expect(error).toMatchObject({ code: 'token_request_refused', status: 400, error: 'invalid_grant' });
    expect(String(error)).toContain('too late');
  });

  it('which says that a token ends at once has its user log in once, not for each call (CLI-14)', async () => {
    issuer.at('/tokens', json({ access_token: ACCESS, token_type: 'Bearer', expires_in: 0 }));
    const [authorizer, store] = [good(), new MemoryCredentialStore()];
    for (let calls = 0; calls < 3; calls += 1) expect((await call(authorizer, { store })).status).toBe(200);
    expect(authorizer.sent).toHaveLength(1);
  });

  it('may have an identity token, which nobody looks at (CLI-09)', async () => {
    issuer.at('/tokens', json({ access_token: ACCESS, token_type: 'Bearer', id_token: 'not.a.jwt' }));
    expect((await call(good())).status).toBe(200);
  });

  it.each([
    ['registers again and logs in again, once', 'invalid_client', 1, 2],
    ['fails, when it was about anything else', 'invalid_request', 0, 1],
  ])('says that a client is not known, which %s (CLI-06)', async (_case, error, registrations, logins) => {
    const serverUrl = `${server.origin}/mcp`;
    metadata['registration_endpoint'] = `${issuer.origin}/clients`;
    issuer.at('/clients', json({ client_id: 'another' }, 201));
    issuer.at('/tokens', json({ error }, 401));
    const store = new MemoryCredentialStore();
    const authorizer = good();
    const kept = { redirect_uris: [authorizer.redirectUri] };
    const registration = { clientId: 'gone', origin: 'dynamic', metadata: kept } as const;
    await store.set({ serverUrl, issuer: issuer.origin }, { registration });
    const failing = call(authorizer, { store, clientId: undefined });
    await expect(failing).rejects.toMatchObject({ code: 'token_request_refused', error });
    expect(issuer.paths.filter((path) => path === '/clients')).toHaveLength(registrations);
    const clients = authorizer.sent.map(({ searchParams }) => searchParams.get('client_id'));
    expect(clients).toEqual(['gone', 'another'].slice(0, logins));
  });
});
