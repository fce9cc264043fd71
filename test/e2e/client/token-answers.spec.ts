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
      message: expect.stringMatching(new RegExp(`with status ${code}: try again later$`)),
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
  ])('%s with status %d is over: another login begins (PEER-02)', async (error, code) => {
    const { logins, kept } = await renew(json({ error }, code));
    expect([logins, kept?.tokens]).toEqual([1, undefined]);
  });

  it.each([
    ['temporarily_unavailable', 200],
    ['server_error', 200],
    ['server_error', 503],
  ])('%s with status %d is not over (PEER-02)', async (error, code) => {
    const { logins, kept, error: told } = await renew(json({ error }, code));
    expect([logins, kept?.tokens?.refreshToken]).toEqual([0, 'refresh-1']);
    expect(told.message).toContain(`status ${code}`);
  });
});
