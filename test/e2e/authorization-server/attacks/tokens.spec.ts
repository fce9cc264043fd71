import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuthorizationClient, post } from '../../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
} from '../../../support/authorization/authorization-server-scene.js';
import { Prover } from '../../../support/authorization/prover.js';
import { moveDate } from '../../../support/move-date.js';
import { expectError, expectNoSecret, type Attack } from './attack.js';

interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly id: string;
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(String(part), 'base64url').toString()) as Record<string, unknown>;

/** Writes an access token again with other headers and claims, unsigned or signed with something else. */
function forge(token: string, header: object, claims: object, signer: (input: string) => string): string {
  const [first, second] = token.split('.');
  const input = `${encode({ ...decode(first), ...header })}.${encode({ ...decode(second), ...claims })}`;
  return `${input}.${signer(input)}`;
}

/** Seconds after which an access token is no longer accepted: its lifetime, and more than any tolerance. */
const AFTER_ACCESS_TOKENS = 700;

const OWN_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signOwn = (input: string) =>
  sign('sha256', Buffer.from(input), { key: OWN_KEY.privateKey, dsaEncoding: 'ieee-p1363' }).toString(
    'base64url',
  );

/** What arrives at the MCP server in place of an access token. */
const AT_MCP: readonly Attack<(tokens: Tokens) => string>[] = [
  ['an ID token', 'RFC 9068 §5', ({ id }) => id],
  ['a refresh token', 'RFC 6750 §5', ({ refresh }) => refresh],
  ['a token without a signature', 'RFC 8725 §3.1', ({ access }) => forge(access, { alg: 'none' }, {}, () => '')],
  ['a token with more scopes', 'RFC 9068 §5', ({ access }) => forge(access, {}, { scope: 'desk:write' }, () => String(access.split('.')[2]))],
  ['a token of another key', 'RFC 8725 §3.2', ({ access }) => forge(access, {}, {}, signOwn)],
  ['a token of an unknown key', 'RFC 8725 §3.2', ({ access }) => forge(access, { kid: 'unknown' }, {}, signOwn)],
  ['a token with its own key', 'RFC 8725 §3.10', ({ access }) => forge(access, { jwk: OWN_KEY.publicKey.export({ format: 'jwk' }) }, {}, signOwn)],
  ['a token signed with the public key as a secret', 'RFC 8725 §3.1', ({ access }) => forge(access, { alg: 'HS256' }, {}, (input) => createHmac('sha256', 'x').update(input).digest('base64url'))],
  ['a token that ends in the past', 'RFC 9068 §4', ({ access }) => forge(access, {}, { exp: 1 }, signOwn)],
  ['a token cut short', 'RFC 6750 §5', ({ access }) => access.slice(0, -4)],
  ['nothing', 'RFC 6750 §3', () => ''],
]; // prettier-ignore

describe('An attack on tokens', () => {
  let scene: AuthorizationServerScene;
  /** Another authorization server, which issues tokens for the same MCP server, and has the same secret. */
  let foreign: AuthorizationServerScene;
  let client: AuthorizationClient;
  let other: string;

  beforeAll(async () => {
    scene = await AuthorizationServerScene.start({
      server: (origin) => ({
        maxRegistrationsPerAddress: 1000,
        grantScopes: () => ['desk:read', 'desk:write', 'other:read'],
        resources: { [`${origin}/mcp`]: CALLER_SCOPES, [`${origin}/other`]: { 'other:read': 'Read others' } },
      }),
    });
    other = `${scene.origin}/other`;
    foreign = await AuthorizationServerScene.start({
      server: { resources: { [scene.resource]: CALLER_SCOPES } },
    });
  });
  beforeEach(async () => {
    client = await AuthorizationClient.register(scene);
  });
  afterEach(() => void jest.useRealTimers());
  afterAll(() => Promise.all([scene.stop(), foreign.stop()]));

  async function logIn(scope = 'openid desk:read', of = client): Promise<Tokens> {
    const { body } = await of.redeem((await of.authorize({ scope })).get('code'));
    return {
      access: String(body['access_token']),
      refresh: String(body['refresh_token']),
      id: String(body['id_token']),
    };
  }

  it('issues tokens for one resource, whose subject is that of the provider (AS-01)', async () => {
    const { access } = await logIn();
    const [header, claims] = access.split('.').map((part, at) => (at < 2 ? decode(part) : {}));
    expect(header).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(claims).toMatchObject({ aud: scene.resource, iss: scene.issuer, sub: 'ada', scope: 'desk:read' });
    expect((await client.call(access)).status).toBe(200);
  });

  it.each(AT_MCP)('is refused at the MCP server: %s [%s] (AS-02)', async (name, _source, make) => {
    const answer = await client.call(make(await logIn()));
    // The keys of the issuer are fetched only so often, so that a token of an unknown key may have to wait.
    expect(name.includes('unknown') ? [401, 429] : [401]).toContain(answer.status);
    expectNoSecret(answer);
  });

  it('is refused: an untouched token after its end [RFC 9068 §4] (AS-02)', async () => {
    const { access } = await logIn();
    moveDate(AFTER_ACCESS_TOKENS);
    expect((await client.call(access)).status).toBe(401);
    jest.useRealTimers();
    expect((await client.call(access)).status).toBe(200);
  });

  it('is refused: the token of another authorization server with the same secret and subject [RFC 9068 §5] (AS-02)', async () => {
    const stranger = await AuthorizationClient.register({ issuer: foreign.issuer, resource: scene.resource });
    const { access } = await logIn('desk:read', stranger);
    expect(decode(access.split('.')[1])).toMatchObject({ aud: scene.resource, sub: 'ada' });
    expect((await client.call(access)).status).toBe(401);
  });

  it('is refused: a token for another resource [RFC 8707 §3, MCP token passthrough] (AS-02)', async () => {
    const code = (await client.authorize({ scope: 'other:read', resource: other })).get('code');
    const { status, body } = await client.redeem(code, { resource: other });
    expect(status).toBe(200);
    expect((await client.call(body['access_token'])).status).toBe(401);
  });

  it('is refused: the token of the provider [MCP token passthrough] (AS-02)', async () => {
    const { access } = await logIn();
    const { body } = await client.call(access, 'upstreamToken');
    const upstream = /"text":"([^"]+)"/.exec(JSON.stringify(body))?.[1];
    expect(upstream).not.toBe('none');
    expect((await client.call(upstream)).status).toBe(401);
  });

  it.each<Attack<(url: URL) => void>>([
    [
      'a resource of others',
      'RFC 8707 §2',
      (url) => url.searchParams.set('resource', 'https://evil.example/mcp'),
    ],
    ['a prototype as resource', 'CWE-1321', (url) => url.searchParams.set('resource', 'urn:__proto__')],
    [
      'the name of a function as resource',
      'CWE-1321',
      (url) => url.searchParams.set('resource', 'constructor'),
    ],
    ['a resource that is no URL', 'RFC 8707 §2', (url) => url.searchParams.set('resource', 'mcp')],
    ['a resource with a fragment', 'RFC 8707 §2', (url) => url.searchParams.append('resource', '#x')],
    ['no resource of two', 'RFC 8707 §2', (url) => url.searchParams.delete('resource')],
    ['two resources', 'RFC 8707 §2', (url) => url.searchParams.append('resource', other)],
    ['one resource twice', 'RFC 8707 §2', (url) => url.searchParams.append('resource', scene.resource)],
  ])('is refused in a request: %s [%s] (AS-02)', async (_name, _source, change) => {
    const url = new URL(client.buildUrl());
    change(url);
    const { headers, status } = await client.browser.request(url);
    expect(status).toBe(303);
    expect(new URL(String(headers.get('location'))).searchParams.get('error')).toBe('invalid_target');
  });

  it('is refused: a refresh token once more, and the new one with it [RFC 9700 §4.14.2] (AS-02)', async () => {
    const { refresh } = await logIn();
    const { body } = await client.refresh(refresh);
    expect((await client.refresh(refresh)).body['error']).toBe('invalid_grant');
    expectError(await client.refresh(body['refresh_token']), 'invalid_grant');
  });

  it.each<Attack<(tokens: Tokens) => readonly [token: string, error: string, changes?: object]>>([
    [
      'more scopes',
      'RFC 6749 §6',
      ({ refresh }) => [refresh, 'invalid_scope', { scope: 'desk:read desk:write' }],
    ],
    ['another resource', 'RFC 8707 §2.2', ({ refresh }) => [refresh, 'invalid_target', { resource: other }]],
    ['an access token', 'RFC 6749 §6', ({ access }) => [access, 'invalid_grant']],
    ['an ID token', 'RFC 6749 §6', ({ id }) => [id, 'invalid_grant']],
    ['a changed token', 'RFC 6749 §10.10', ({ refresh }) => [`${refresh.slice(0, -2)}AA`, 'invalid_grant']],
    ['an empty token', 'RFC 6749 §6', () => ['', 'invalid_request']],
    [
      'another client',
      'RFC 6749 §10.4',
      ({ refresh }) => [refresh, 'invalid_client', { client_id: 'other' }],
    ],
    ['no client', 'RFC 6749 §6', ({ refresh }) => [refresh, 'invalid_request', { client_id: undefined }]],
  ])('is refused at a refresh: %s [%s] (AS-02)', async (_name, _source, make) => {
    const [token, error, changes = {}] = make(await logIn());
    const answer = await client.refresh(token, { ...changes });
    expectError(answer, error, error === 'invalid_client' ? 401 : 400);
  });

  it('is refused: the refresh token of another client [RFC 6749 §10.4] (AS-02)', async () => {
    const { refresh } = await logIn();
    const attacker = await AuthorizationClient.register(scene);
    expectError(await attacker.refresh(refresh), 'invalid_grant');
    expect((await client.refresh(refresh)).status).toBe(200);
  });

  const revoke = (of: AuthorizationClient, token: string) =>
    post(`${scene.issuer}/revoke`, new URLSearchParams({ token, client_id: of.clientId }).toString());

  it('is without effect: to revoke the token of another client [RFC 7009 §2.1] (AS-03)', async () => {
    const { refresh } = await logIn();
    const attacker = await AuthorizationClient.register(scene);
    expect((await revoke(attacker, refresh)).status).toBe(200);
    expect((await client.refresh(refresh)).status).toBe(200);
  });

  it('is refused: a revoked refresh token [RFC 7009 §2] (AS-03)', async () => {
    const { refresh } = await logIn();
    expect((await revoke(client, refresh)).status).toBe(200);
    expectError(await client.refresh(refresh), 'invalid_grant');
  });

  it.each(['', 'unknown', '__proto__', 'a'.repeat(20_000)])(
    'tells nothing of unknown tokens at revocation [RFC 7009 §2.2] (AS-03)',
    async (token) => {
      const answer = await revoke(client, token);
      expect(answer.status).toBe(token === '' ? 400 : 200);
      expectNoSecret(answer);
    },
  );

  it('is refused: a token that is bound to a key, without a proof [RFC 9449 §7.2] (AS-02)', async () => {
    const prover = new Prover({ htu: `${scene.issuer}/token` });
    const code = (await client.authorize()).get('code');
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.clientId,
      code: String(code),
      code_verifier: client.verifier,
      redirect_uri: String(new URL(client.buildUrl()).searchParams.get('redirect_uri')),
      resource: scene.resource,
    });
    const headers = { dpop: prover.proof() };
    const response = await fetch(`${scene.issuer}/token`, { method: 'POST', body: form, headers });
    const tokens = (await response.json()) as Record<string, unknown>;
    expect(tokens).toMatchObject({ token_type: 'DPoP' });
    expect((await client.call(tokens['access_token'])).status).toBe(401);
    expectError(await client.refresh(tokens['refresh_token']), 'invalid_grant');
  });
});
