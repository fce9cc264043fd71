import { afterEach, describe, expect, it } from '@jest/globals';
import { AuthorizationClient, read } from '../../support/authorization/authorization-client.js';
import {
  AuthorizationServerScene,
  CALLER_SCOPES,
  SharedStorage,
} from '../../support/authorization/authorization-server-scene.js';
import { expectError } from './attacks/attack.js';

const RESOURCE = 'https://reports.example.com/mcp';
const SECRET = 'the secret of the reports server, long enough';
const SERVER = {
  resources: { [RESOURCE]: CALLER_SCOPES },
  resourceServers: [{ resource: RESOURCE, clientId: 'reports', clientSecret: SECRET }],
};

/** Shows for how long each kind of entry is stored. */
class TimedStorage extends SharedStorage {
  readonly seconds = new Map<string, number>();

  override async set(key: string, value: string, expiresInSeconds = 0): Promise<void> {
    this.seconds.set(key.slice(0, key.indexOf(':')), expiresInSeconds);
    return super.set(key, value);
  }
}

describe('A token exchange', () => {
  let scene: AuthorizationServerScene;
  afterEach(() => scene.stop());

  async function logIn() {
    const client = await AuthorizationClient.register(scene);
    const code = (await client.authorize({ resource: RESOURCE })).get('code');
    const { body } = await client.redeem(code, { resource: RESOURCE });
    return String(body['access_token']);
  }

  async function exchange(token: string) {
    const authorization = `Basic ${Buffer.from(`reports:${encodeURIComponent(SECRET)}`).toString('base64')}`;
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    });
    return read(await fetch(`${scene.issuer}/token`, { method: 'POST', headers: { authorization }, body }));
  }

  it('needs a record for each access token, for as long as the token is valid (AS-03)', async () => {
    const storage = new TimedStorage();
    scene = await AuthorizationServerScene.start({ server: { ...SERVER, storage, accessTokenSeconds: 300 } });
    const token = await logIn();
    expect(storage.seconds.get('AccessTokenGrant')).toBeGreaterThan(290);
    expect(storage.seconds.get('AccessTokenGrant')).toBeLessThanOrEqual(300);
    expect((await exchange(token)).status).toBe(200);
    for (const key of storage.entries.keys())
      if (key.startsWith('AccessTokenGrant:')) storage.entries.delete(key);
    expectError(await exchange(token), 'invalid_grant');
  });

  it('has no such records without resource servers (AS-03)', async () => {
    const storage = new TimedStorage();
    const { resources } = SERVER;
    scene = await AuthorizationServerScene.start({ server: { resources, storage } });
    await logIn();
    expect([...storage.seconds.keys()]).toContain('RefreshToken');
    expect([...storage.seconds.keys()]).not.toContain('AccessTokenGrant');
  });

  it('is refused until the user has logged in again, if the provider no longer accepts the login (AS-03)', async () => {
    scene = await AuthorizationServerScene.start({ server: SERVER, upstream: { accessTokenSeconds: 10 } });
    const token = await logIn();
    expect((await exchange(token)).status).toBe(200);
    scene.upstream.endGrants();
    expectError(await exchange(token), 'invalid_grant');
    expect((await exchange(await logIn())).status).toBe(200);
  });

  it('is unavailable for as long as the provider is, with no details (AS-03)', async () => {
    scene = await AuthorizationServerScene.start({ server: SERVER, upstream: { accessTokenSeconds: 10 } });
    const token = await logIn();
    await scene.upstream.stop();
    const answer = await exchange(token);
    expectError(answer, 'temporarily_unavailable');
    expect(answer.body['error_description']).not.toContain(scene.upstream.issuer);
  });
});
