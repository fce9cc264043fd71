import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ClientCredentialsTokenSource,
  MemoryCredentialStore,
  OAuthTokenSource,
  createAuthorizedFetch,
} from 'nestjs-mcp/client';
import { GrantScene } from '../../support/authorization/grant-scene.js';
import { json, status, type Reply } from '../../support/authorization/party.js';

let scene: GrantScene;

beforeEach(async () => {
  scene = await GrantScene.start();
});
afterEach(() => scene.stop());

/** Answers requests for tokens by a text of some type. */
function send(text: string, type: string | undefined, code = 200): Reply {
  return (response) => {
    response.writeHead(code, type === undefined ? {} : { 'content-type': type }).end(text);
  };
}

const createSource = () =>
  new ClientCredentialsTokenSource({ serverUrl: scene.server.url, clientId: 'desk', clientSecret: 'secret' });

const grant = (members: object = {}) => scene.issuer.grant({ scope: 'desk:read', ...members });

/** Shapes of answers that have a token. */
const TAKEN: readonly (readonly [string, () => Reply])[] = [
  ['201', () => json(grant(), 201)],
  ['202', () => json(grant(), 202)],
  ['text/html', () => send(JSON.stringify(grant()), 'text/html; charset=utf-8')],
  ['no content type', () => send(JSON.stringify(grant()), undefined)],
  [
    'a form',
    () =>
      send('access_token=token-1&scope=desk%3Aread&token_type=bearer', 'application/x-www-form-urlencoded'),
  ],
  ['a byte order mark', () => send(`\uFEFF${JSON.stringify(grant())}`, 'application/json')],
  ['"token_type" in capitals', () => json(grant({ token_type: 'BEARER' }))],
  ['numbers as texts', () => json(grant({ expires_in: '3600' }))],
  [
    'null for what is absent',
    () =>
      json({
        ...grant(),
        refresh_token: null,
        scope: null,
        expires_in: null,
        id_token: null,
        error: null,
        error_description: null,
      }),
  ],
  [
    'empty texts for what is absent',
    () =>
      json({
        ...grant(),
        refresh_token: '',
        scope: '',
        expires_in: '',
        id_token: '',
        error: '',
        issued_token_type: '',
      }),
  ],
  ['an end before its beginning', () => json(grant({ expires_in: -1 }))],
  ['a list of scopes', () => json({ ...grant(), scope: ['desk:read', null] })],
  ['an identity token that is none', () => json(grant({ id_token: 'x' }))],
];

describe('A token (RFC 6749 §5.1)', () => {
  it.each(TAKEN)('comes with %s (PEER-02) (CLI-15)', async (_, build) => {
    const reply = build();
    // The party knows the token that it made last, whatever the answer says.
    grant();
    scene.issuer.reply = () => reply;
    const source = createSource();
    await expect(source.tokenForScopes(['desk:read'])).resolves.toBe('token-1');
    expect(await scene.call(source)).toBe(200);
  });

  it.each<[string, Reply]>([
    ['null for the token', json({ access_token: null, token_type: 'Bearer' })],
    ['an empty token', json({ access_token: '', token_type: 'Bearer' })],
    ['a number for the token', json({ access_token: 7, token_type: 'Bearer' })],
    ['the end of a line behind the token', json({ access_token: 'token-secret\n', token_type: 'Bearer' })],
    ['two words for the token', json({ access_token: 'Bearer token-secret', token_type: 'Bearer' })],
    ['no type', json({ access_token: 'token-secret' })],
    ['null for its type', json({ access_token: 'token-secret', token_type: null })],
    ['another type', json({ access_token: 'token-secret', token_type: 'mac' })],
    ['a page', send('<!doctype html>', 'text/html')],
    ['nothing', status(204)],
  ])('does not come with %s (PEER-02)', async (_, reply) => {
    scene.issuer.reply = () => reply;
    const failed = createSource().tokenForScopes([]);
    await expect(failed).rejects.toMatchObject({ code: 'token_request_refused', error: 'invalid_response' });
    await expect(failed).rejects.not.toThrow(/token-secret/);
  });
});

describe('An error of a token endpoint (RFC 6749 §5.2)', () => {
  it.each([200, 201, 400, 401])('is one with status %d, also beside a token (PEER-02)', async (code) => {
    const error = { error: 'bad_verification_code', error_description: 'The code is incorrect or expired' };
    scene.issuer.reply = () => json({ ...grant(), ...error }, code);
    await expect(createSource().tokenForScopes([])).rejects.toMatchObject({
      code: 'token_request_refused',
      error: 'bad_verification_code',
      status: code,
      message: expect.stringContaining('The code is incorrect or expired'),
    });
  });

  it.each([500, 502, 503])('says its status where the server fails: %d (PEER-02)', async (code) => {
    scene.issuer.reply = () => send('<h1>Down</h1>', 'text/html', code);
    await expect(createSource().tokenForScopes([])).rejects.toMatchObject({
      status: code,
      message: expect.stringMatching(new RegExp(`and status ${code}: try again later$`)),
    });
  });
});

describe('A refresh that is answered with an error', () => {
  const serverUrl = () => scene.server.url;
  const key = () => ({ serverUrl: serverUrl(), issuer: scene.issuer.issuer });

  async function renew(reply: Reply) {
    const store = new MemoryCredentialStore();
    const tokens = {
      accessToken: 'old',
      tokenType: 'bearer',
      refreshToken: 'refresh-1',
      expiresAtMs: 0,
      grantedScopes: ['desk:read'],
      requestedScopes: ['desk:read'],
    };
    await store.set(key(), { registration: { clientId: 'desk', origin: 'given' }, tokens });
    Object.assign(scene.issuer.metadata, {
      authorization_endpoint: `${scene.issuer.issuer}/login`,
      code_challenge_methods_supported: ['S256'],
    });
    scene.issuer.reply = () => reply;
    const redirectUri = 'http://127.0.0.1/callback';
    const asked: URL[] = [];
    const authorize = async (url: URL): Promise<URL> => {
      asked.push(url);
      throw new Error('nobody is there');
    };
    const options = { serverUrl: serverUrl(), store, clientId: 'desk', issuer: key().issuer };
    const tokenSource = new OAuthTokenSource({ ...options, authorizer: { redirectUri, authorize } });
    const error = await createAuthorizedFetch({ serverUrl: serverUrl(), tokenSource })(serverUrl()).catch(
      (cause: unknown) => cause as Error,
    );
    return { error: error as Error, logins: asked.length, kept: await store.get(key()) };
  }

  it.each([
    ['invalid_grant', 200],
    ['bad_refresh_token', 200],
    ['invalid_refresh_token', 200],
    ['invalid_grant', 400],
    ['interaction_required', 400],
    ['invalid_scope', 400],
    ['invalid_target', 400],
    ['invalid_request', 400],
    ['expired_token', 401],
    ['access_denied', 403],
  ])('%s with status %d is over: another login begins (PEER-02)', async (error, code) => {
    const { logins, kept } = await renew(json({ error }, code));
    expect([logins, kept?.tokens]).toEqual([1, undefined]);
  });

  it.each([
    ['temporarily_unavailable', 200],
    ['server_error', 200],
    ['server_error', 503],
    ['server_error', 400],
    ['too_many_requests', 429],
    ['invalid_client', 401],
  ])('%s with status %d is not over (PEER-02)', async (error, code) => {
    const { logins, kept, error: told } = await renew(json({ error }, code));
    expect([logins, kept?.tokens?.refreshToken]).toEqual([0, 'refresh-1']);
    expect(told.message).toContain(`status ${code}`);
  });
});

describe('An endpoint of metadata (RFC 8414 §2)', () => {
  /** Begins a login, and tells how far it comes. */
  async function begin(metadata: object, clientId?: string) {
    const { issuer, metadata: described } = scene.issuer;
    const known = { authorization_endpoint: `${issuer}/login`, code_challenge_methods_supported: ['S256'] };
    Object.assign(described, known, metadata);
    const redirectUri = 'http://127.0.0.1/callback';
    const authorize = async (): Promise<URL> => {
      throw new Error('the browser was opened');
    };
    const options = { serverUrl: scene.server.url, store: new MemoryCredentialStore(), issuer, clientId };
    const tokenSource = new OAuthTokenSource({ ...options, authorizer: { redirectUri, authorize } });
    return createAuthorizedFetch({ serverUrl: scene.server.url, tokenSource })(scene.server.url);
  }

  const UNUSABLE = ['/register', 'http://login.example.com/register', 7, ''];

  it.each(UNUSABLE)('that is not used may be %j (PEER-02)', async (registration_endpoint) => {
    await expect(begin({ registration_endpoint }, 'desk')).rejects.toThrow('the browser was opened');
  });

  it.each(['/register', 'http://login.example.com/register'])(
    'that is used must be safe, and is not %j (PEER-02) (CLI-10)',
    async (url) => {
      await expect(begin({ registration_endpoint: url })).rejects.toMatchObject({
        code: 'insecure_endpoint',
        role: 'registration_endpoint',
      });
      await expect(begin({ authorization_endpoint: url }, 'desk')).rejects.toMatchObject({
        code: 'insecure_endpoint',
        role: 'authorization_endpoint',
      });
      await expect(begin({ token_endpoint: url }, 'desk')).rejects.toMatchObject({
        code: 'insecure_endpoint',
      });
    },
  );

  it.each([null, ''])('that has to be there is missing where it is %j (PEER-02)', async (nothing) => {
    await expect(begin({ authorization_endpoint: nothing }, 'desk')).rejects.toThrow(
      'has no "authorization_endpoint"',
    );
    // It is needed only after the browser, which would have been opened in vain.
    await expect(begin({ token_endpoint: nothing }, 'desk')).rejects.toThrow('has no "token_endpoint"');
    await expect(begin({ issuer: nothing }, 'desk')).rejects.toMatchObject({ code: 'issuer_mismatch' });
  });
});

describe('A registration (RFC 7591 §3.2)', () => {
  const register = (answer: object, code: number) => {
    const { party, issuer, metadata } = scene.issuer;
    Object.assign(metadata, {
      authorization_endpoint: `${issuer}/login`,
      registration_endpoint: `${issuer}/clients`,
      code_challenge_methods_supported: ['S256'],
    });
    party.at('/clients', json(answer, code));
    const store = new MemoryCredentialStore();
    const authorizer = {
      redirectUri: 'http://127.0.0.1/callback',
      authorize: async (): Promise<URL> => {
        throw new Error('the browser was opened');
      },
    };
    const source = new OAuthTokenSource({ serverUrl: scene.server.url, store, authorizer });
    return {
      store,
      done: createAuthorizedFetch({ serverUrl: scene.server.url, tokenSource: source })(scene.server.url),
    };
  };

  it.each([200, 201, 202])(
    'comes with status %d, and null for what was asked for (PEER-02) (CLI-06)',
    async (code) => {
      const absent = { client_secret: '', redirect_uris: null, token_endpoint_auth_method: null, error: '' };
      const { store, done } = register({ client_id: 'desk-1', ...absent }, code);
      await expect(done).rejects.toThrow('the browser was opened');
      const kept = await store.get({ serverUrl: scene.server.url, issuer: scene.issuer.issuer });
      expect(kept?.registration).toMatchObject({
        clientId: 'desk-1',
        metadata: { redirect_uris: ['http://127.0.0.1/callback'], token_endpoint_auth_method: 'none' },
      });
      expect(kept?.registration).not.toHaveProperty('clientSecret');
    },
  );

  it.each([
    [{ client_id: null }, 201, 'status 201'],
    [{ client_id: 'x', error: 'invalid_redirect_uri' }, 200, 'status 200 and "invalid_redirect_uri"'],
    [{ client_id: 'x' }, 503, 'status 503'],
  ])('does not come with %j and status %d (PEER-02) (CLI-06)', async (answer, code, message) => {
    await expect(register(answer, code).done).rejects.toMatchObject({
      code: 'registration_unavailable',
      message: expect.stringContaining(message),
    });
  });
});
