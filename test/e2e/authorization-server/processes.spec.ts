import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AuthorizationServerScene,
  SharedStorage,
} from '../../support/authorization/authorization-server-scene.js';
import { AuthorizationClient } from '../../support/authorization/authorization-client.js';

describe('Three applications behind a balancer that takes turns', () => {
  const storage = new SharedStorage();
  let scene: AuthorizationServerScene;

  beforeEach(async () => {
    scene = await AuthorizationServerScene.start({ applications: 3, server: { storage } });
  });
  afterEach(() => scene.stop());

  it('are one authorization server to a client that logs in, steps up and refreshes (AS-03)', async () => {
    const send = scene.createFetch();
    await expect(scene.call('whoAmI', send)).resolves.toBe('ada with desk:read');
    await expect(scene.call('close', send)).resolves.toBe('closed');
  });

  it('exchange a code and a refresh token once, also if several are asked at the same moment (AS-03)', async () => {
    const client = await AuthorizationClient.register(scene);
    const code = (await client.authorize()).get('code');
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.redeem(code)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    const other = await AuthorizationClient.register(scene);
    const { body } = await other.redeem((await other.authorize()).get('code'));
    const refreshed = await Promise.all(
      Array.from({ length: 6 }, () => other.refresh(body['refresh_token'])),
    );
    expect(refreshed.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('store nothing that can be read (AS-03)', async () => {
    const client = await AuthorizationClient.register(scene, { client_name: 'Readable' });
    const code = (await client.authorize()).get('code');
    const { body } = await client.redeem(code);
    const stored = JSON.stringify([...storage.entries]);
    expect(storage.entries.size).toBeGreaterThan(5);
    for (const secret of [
      code,
      body['refresh_token'],
      client.clientId,
      'Readable',
      'desk:read',
      scene.resource,
    ])
      expect(stored).not.toContain(String(secret));
  });
});
