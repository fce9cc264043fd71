import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpAudit, type AuditEvent } from 'nestjs-mcp';
import { AuthorizationClient, post, REDIRECT } from '../../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
} from '../../../support/authorization/authorization-server-scene.js';
import { OpenStorage } from '../../../support/authorization/open-storage.js';
import { expectError } from './attack.js';

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map(
  (name) => `the ${name} secret of the desk, long enough to be one`,
);

/** What a request at an endpoint is in the audit. */
const EVENTS = new Map([
  ['authorize', 'login_begun'],
  ['interaction', 'login_begun'],
  ['callback', 'login'],
  ['token', 'token_issue'],
  ['register', 'registration'],
  ['revoke', 'token_revocation'],
]);

describe('An attack on the storage', () => {
  const storage = new OpenStorage();
  const scenes: AuthorizationServerScene[] = [];
  let scene: AuthorizationServerScene;
  let client: AuthorizationClient;

  /** Starts a process of the server with other secrets. */
  async function startWith(secret: string | readonly string[]): Promise<AuthorizationServerScene> {
    const started = await AuthorizationServerScene.start({
      server: (origin) => ({
        storage,
        secret,
        maxRegistrationsPerAddress: 1000,
        ...(scenes[0] && { issuer: scenes[0].issuer, resources: { [scenes[0].resource]: CALLER_SCOPES } }),
        ...(!scenes[0] && { issuer: `${origin}/oauth` }),
      }),
    });
    scenes.push(started);
    return started;
  }

  beforeAll(async () => {
    scene = await startWith(String(OLD));
  });
  beforeEach(async () => {
    storage.failure = undefined;
    client = await AuthorizationClient.register(scene, { client_name: 'Name of the client' });
  });
  afterAll(async () => {
    await Promise.all(scenes.map((one) => one.stop()));
  });

  const logIn = async () => client.redeem((await client.authorize()).get('code'));

  /** Sends the client's requests to another process. */
  function at(place: AuthorizationServerScene): AuthorizationClient {
    const moved = new AuthorizationClient({ issuer: `${place.origin}/oauth`, resource: scene.resource });
    moved.clientId = client.clientId;
    return moved;
  }

  it('learns nothing from what is stored [RFC 9700 §4.15] (AS-03)', async () => {
    const code = String((await client.authorize()).get('code'));
    const { body } = await client.redeem(code);
    const secrets = [
      code, client.clientId, client.verifier, body['refresh_token'], body['access_token'],
      '"ada"', 'Name of the client', REDIRECT, 'desk:read', 'state-of-the-client',
    ]; // prettier-ignore
    const stored = [...storage.entries].flat();
    const plain = stored.flatMap((text) => [text, Buffer.from(text, 'base64url').toString()]).join('\n');
    for (const secret of secrets) expect(plain).not.toContain(String(secret));
    expect(storage.list('RefreshToken').length).toBeGreaterThan(0);
  });

  it('gets nothing for the keys of the storage as tokens [RFC 9700 §4.15] (AS-03)', async () => {
    await logIn();
    for (const key of storage.list('RefreshToken')) {
      expectError(await client.refresh(key), 'invalid_grant');
      expectError(await client.refresh(key.slice(key.indexOf(':') + 1)), 'invalid_grant');
    }
  });

  it('cannot move a value to another key [CWE-345] (AS-03)', async () => {
    const first = await logIn();
    const [own] = storage.list('RefreshToken').slice(-1);
    client = await AuthorizationClient.register(scene);
    const second = await logIn();
    const [foreign] = storage.list('RefreshToken').slice(-1);
    expect(own).not.toBe(foreign);
    storage.entries.set(String(foreign), String(storage.entries.get(String(own))));
    expectError(await client.refresh(second.body['refresh_token']), 'invalid_grant');
    expect(first.status).toBe(200);
  });

  it('cannot move a value to another kind [CWE-345] (AS-03)', async () => {
    const code = String((await client.authorize()).get('code'));
    const [key = ''] = storage.list('AuthorizationCode').slice(-1);
    storage.entries.set(key.replace('AuthorizationCode', 'RefreshToken'), String(storage.entries.get(key)));
    expectError(await client.refresh(code), 'invalid_grant');
  });

  it.each<readonly [string, (value: string) => string]>([
    ['with another end', (value) => `${value.slice(0, -4)}AAAA`],
    ['with another beginning', (value) => `AAAA${value.slice(4)}`],
    ['with less', (value) => value.slice(0, 20)],
    ['empty', () => ''],
    ['as JSON', () => '{"accountId":"ada","clientId":"x"}'],
    ['as a number', () => '7'],
  ])('cannot change a value: %s [CWE-353] (AS-03)', async (_name, change) => {
    const { body } = await logIn();
    const [key = ''] = storage.list('RefreshToken').slice(-1);
    storage.entries.set(key, change(String(storage.entries.get(key))));
    expectError(await client.refresh(body['refresh_token']), 'invalid_grant');
  });

  it('cannot make a used code unused with an earlier copy (AS-03)', async () => {
    const code = (await client.authorize()).get('code');
    const copies = storage
      .list('AuthorizationCode')
      .map((key) => [key, String(storage.entries.get(key))] as const);
    await client.redeem(code);
    for (const [key, value] of copies) storage.entries.set(key, value);
    expectError(await client.redeem(code), 'invalid_grant');
  });

  it.each([...EVENTS.keys()])(
    'learns nothing from a storage that fails, which the audit tells, at %s [CWE-209] (AS-03)',
    async (endpoint) => {
      const { issuer } = scene;
      const page = await client.ask();
      const code = (await client.authorize()).get('code');
      storage.failure = new Error('ECONNREFUSED redis://user:password@10.0.0.7:6379');
      const answers = {
        authorize: () => client.browser.request(client.buildUrl()),
        interaction: () => client.browser.request(page.url),
        callback: () => client.browser.request(`${issuer}/callback?state=x&code=x`),
        token: () => client.redeem(code),
        register: () => client.register({}),
        revoke: () => post(`${issuer}/revoke`, `token=x&client_id=${client.clientId}`),
      };
      const events: AuditEvent[] = [];
      scene.get(McpAudit).events$.subscribe((event) => events.push(event));
      const answer = await answers[endpoint as keyof typeof answers]();
      expect(events).toMatchObject([
        { type: EVENTS.get(endpoint), outcome: 'error', reason: 'server_error' },
      ]);
      expect(answer.status).toBe(500);
      const text = 'page' in answer ? answer.page : JSON.stringify(answer.body);
      expect(text).not.toMatch(/ECONNREFUSED|redis|password|10\.0\.0\.7|\n\s+at /);
      storage.failure = undefined;
      expect((await client.redeem(code)).status).toBe(200);
    },
  );

  it.each(['User', 'Session', 'SessionUid', 'Grant', 'Consent'])(
    'lets a person log in again if it has lost entries of the kind %s (AS-03)',
    async (kind) => {
      await logIn();
      for (const key of storage.list(kind)) storage.entries.delete(key);
      expect((await logIn()).status).toBe(200);
    },
  );

  it('keeps logins over a change of the secret, with the old one second (AS-03)', async () => {
    const { body } = await logIn();
    const changed = await startWith([String(NEW), String(OLD)]);
    const refreshed = await at(changed).refresh(body['refresh_token']);
    expect(refreshed.status).toBe(200);
    expect((await client.call(refreshed.body['access_token'])).status).toBe(401);
    expectError(await at(changed).refresh(body['refresh_token']), 'invalid_grant');
  });

  it('is of no use with another secret (AS-03)', async () => {
    const { body } = await logIn();
    const other = await startWith(String(OTHER));
    expectError(await at(other).refresh(body['refresh_token']), 'invalid_client', 401);
    const answer = await at(other).redeem((await client.authorize()).get('code'));
    expectError(answer, 'invalid_client', 401);
  });
});
