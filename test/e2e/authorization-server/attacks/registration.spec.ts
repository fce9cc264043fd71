import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationClient, post, REDIRECT } from '../../../support/authorization/authorization-client.js';
import { AuthorizationServerScene } from '../../../support/authorization/authorization-server-scene.js';
import { expectError, expectNoSecret, type Attack } from './attack.js';

/** Bodies that are no registration. */
const BODIES: readonly Attack<string>[] = [
  ['nothing', 'RFC 7591 §3.1', ''],
  ['no JSON', 'CWE-20', '{"redirect_uris":'],
  ['an array', 'CWE-20', '[]'],
  ['an array of registrations', 'CWE-20', `[{"redirect_uris":["${REDIRECT}"]}]`],
  ['null', 'CWE-20', 'null'],
  ['a number', 'CWE-20', '7'],
  ['a string', 'CWE-20', '"redirect_uris"'],
  ['a body that is too long', 'CWE-400', JSON.stringify({ client_name: 'a'.repeat(100_000) })],
  ['a body that is nested deeply', 'CWE-674', `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`],
];

/** Members that ask for more than clients get. */
const REFUSED: readonly Attack<object>[] = [
  ['the implicit grant', 'RFC 9700 §2.1.2', { grant_types: ['implicit'], response_types: ['token'] }],
  ['the password grant', 'RFC 9700 §2.4', { grant_types: ['password'] }],
  ['the client credentials grant', 'RFC 6749 §4.4', { grant_types: ['client_credentials'] }],
  ['the response type token', 'RFC 9700 §2.1.2', { response_types: ['token'] }],
  ['the response type id_token', 'RFC 9700 §2.1.2', { response_types: ['code id_token'] }],
  ['an unknown response mode', 'RFC 7591 §2', { response_modes: ['web_message'] }],
  ['unsigned ID tokens', 'RFC 8725 §3.1', { id_token_signed_response_alg: 'none' }],
  ['ID tokens with a shared secret', 'RFC 8725 §3.1', { id_token_signed_response_alg: 'HS256' }],
  ['another authentication', 'RFC 7591 §2', { token_endpoint_auth_method: 'client_secret_jwt' }],
  ['keys without keys', 'RFC 7591 §2', { token_endpoint_auth_method: 'private_key_jwt' }],
  ['no redirect address', 'RFC 7591 §2', { redirect_uris: [] }],
  ['a logo that is a script', 'CWE-79', { logo_uri: 'javascript:alert(1)' }],
  ['terms that are a script', 'CWE-79', { tos_uri: 'data:text/html,x' }],
  [
    'metadata for many clients',
    'CWE-400',
    { contacts: Array.from({ length: 400 }, (_, at) => `a${at}@evil.example.com`) },
  ],
];

/** Members that are ignored. */
const IGNORED: readonly Attack<Readonly<Record<string, unknown>>>[] = [
  ['a client ID', 'RFC 7591 §3.2.1', { client_id: 'https://good.example/client' }],
  ['a client secret', 'RFC 7591 §3.2.1', { client_secret: 'chosen-by-the-attacker' }],
  ['scopes of others', 'RFC 7591 §2', { scope: 'desk:admin' }],
  ['pairwise subjects', 'OpenID Connect Core §8', { subject_type: 'pairwise' }],
  ['a sector document', 'CWE-918', { sector_identifier_uri: 'https://169.254.169.254/latest' }],
  ['a web client on this machine', 'RFC 8252 §8.4', { application_type: 'web' }],
  ['a time of issue', 'RFC 7591 §3.2.1', { client_id_issued_at: 1 }],
  ['a registration token', 'RFC 7592', { registration_access_token: 'x' }],
  ['back-channel logout', 'CWE-918', { backchannel_logout_uri: 'https://169.254.169.254/' }],
  ['request objects', 'CWE-918', { request_uris: ['https://169.254.169.254/'] }],
];

const MEMBERS =
  'redirect_uris grant_types response_types response_modes client_name client_uri logo_uri tos_uri policy_uri jwks jwks_uri contacts scope application_type subject_type sector_identifier_uri token_endpoint_auth_method id_token_signed_response_alg userinfo_signed_response_alg id_token_encrypted_response_alg default_max_age default_acr_values require_auth_time initiate_login_uri dpop_bound_access_tokens client_secret client_secret_expires_at __proto__ constructor toString';
/** Values of any type as JSON. */
const VALUES = [
  'null', '0', '7', '-1', '1e999', 'true', '""', '" "', '"x"', '[]', '[null]', '[7]', '[[]]', '[{}]', '["x"]', '["x",7]', '{}',
  '{"length":1}', '{"keys":[null]}', '{"keys":[{"kty":"oct","k":"x"}]}', '{"toString":"x"}', '"https://"', '"http://["',
  '["http://["]',
]; // prettier-ignore

/** Members that let the engine read redirect addresses before it checks them. */
const COMPANIONS = ['', '"subject_type":"pairwise",', '"token_endpoint_auth_method":"private_key_jwt",'];

describe('An attack on registration', () => {
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start({ server: { maxRegistrationsPerAddress: 100_000 } });
    client = new AuthorizationClient(scene);
  });
  afterAll(() => scene.stop());

  it.each(BODIES)('is refused: %s [%s] (AS-01)', async (_name, _source, body) => {
    const answer = await post(`${scene.issuer}/register`, body, 'application/json');
    expect([400, 413]).toContain(answer.status);
    expect(String(answer.body['error'])).toMatch(/^invalid_/);
    expectNoSecret(answer);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])(
    'is refused: a registration as %s [CWE-352] (AS-01)',
    async (type) => {
      const answer = await post(`${scene.issuer}/register`, `{"redirect_uris":["${REDIRECT}"]}`, type);
      expectError(answer, 'invalid_request');
    },
  );

  it.each(REFUSED)('is refused: %s [%s] (AS-01)', async (_name, _source, metadata) => {
    const answer = await client.register(metadata);
    expect(answer.status).toBe(400);
    expect(String(answer.body['error'])).toMatch(/^invalid_(?:client_metadata|redirect_uri)$/);
    expectNoSecret(answer);
  });

  it.each(IGNORED)('is without effect: %s [%s] (AS-01)', async (_name, _source, metadata) => {
    const { status, body } = await client.register(metadata);
    expect(status).toBe(201);
    for (const [name, value] of Object.entries(metadata)) expect(body[name]).not.toEqual(value);
  });

  it.each(MEMBERS.split(' '))(
    'is no error of the server: any value of "%s" [CWE-20] (AS-01)',
    async (name) => {
      const rest = name === 'redirect_uris' ? '' : `"redirect_uris":["${REDIRECT}"],`;
      const companions = name === 'redirect_uris' ? COMPANIONS : [''];
      const bodies = VALUES.flatMap((value) =>
        companions.map((more) => `{${more}${rest}"${name}":${value}}`),
      );
      const answers = await Promise.all(
        bodies.map((body) => post(`${scene.issuer}/register`, body, 'application/json')),
      );
      const failed = bodies.filter((_, index) => ![201, 400].includes(answers[index]?.status ?? 0));
      expect(failed).toEqual([]);
    },
  );

  it('gives every client another ID, and public clients no secret (AS-01)', async () => {
    const [one, other] = await Promise.all([client.register({}), client.register({})]);
    expect(one.body['client_id']).not.toBe(other.body['client_id']);
    expect(one.body).not.toHaveProperty('client_secret');
    expect(one.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['GET', 'PUT', 'DELETE'])('has no management of clients: %s [RFC 7592] (AS-01)', async (method) => {
    const { body } = await client.register({});
    const response = await fetch(`${scene.issuer}/register/${String(body['client_id'])}`, { method });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    await expect(response.text()).resolves.not.toContain('redirect_uris');
  });
});

describe('A flood of registrations', () => {
  let scene: AuthorizationServerScene;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start({ server: { maxRegistrationsPerAddress: 2 } });
  });
  afterAll(() => scene.stop());

  it('ends with 429, wherever the path is written differently [MCP security best practices] (AS-03)', async () => {
    const client = new AuthorizationClient(scene);
    expect([(await client.register({})).status, (await client.register({})).status]).toEqual([201, 201]);
    const body = JSON.stringify({ redirect_uris: [REDIRECT] });
    for (const path of [
      '/register',
      '/register/',
      '/REGISTER',
      '/Register/',
      '/register?x=1',
      '/register/?x',
    ]) {
      const answer = await post(`${scene.issuer}${path}`, body, 'application/json');
      expectError(answer, 'temporarily_unavailable', 429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3000);
    }
    for (const path of ['//register', '/%72egister', '/./register', '/register//'])
      expect([404, 429]).toContain((await post(`${scene.issuer}${path}`, body, 'application/json')).status);
  });

  it('is not avoided with a header that names another address [CWE-348] (AS-03)', async () => {
    const response = await fetch(`${scene.issuer}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' },
      body: JSON.stringify({ redirect_uris: [REDIRECT] }),
    });
    expect(response.status).toBe(429);
  });
});
