import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationClient } from '../../support/authorization/authorization-client.js';
import { AuthorizationServerScene } from '../../support/authorization/authorization-server-scene.js';
import { OpenStorage } from '../../support/authorization/open-storage.js';
import { until } from '../../support/until.js';

const LIFETIME_SECONDS = 3;

describe('A login that a client refreshes', () => {
  const storage = new OpenStorage();
  let scene: AuthorizationServerScene;

  beforeAll(async () => {
    const server = { storage, refreshTokenSeconds: LIFETIME_SECONDS };
    scene = await AuthorizationServerScene.start({ server });
  });
  afterAll(() => scene.stop());

  it('outlasts the session in the browser (AS-01)', async () => {
    const client = await AuthorizationClient.register(scene);
    const { body } = await client.redeem((await client.authorize()).get('code'));
    for (const key of storage.list('Session')) storage.entries.delete(key);
    expect((await client.refresh(body['refresh_token'])).status).toBe(200);
  });

  it('lasts from one use to the next, and no longer (AS-01, AS-03)', async () => {
    const client = await AuthorizationClient.register(scene);
    const first = await client.redeem((await client.authorize()).get('code'));
    let refreshToken = first.body['refresh_token'];
    const begun = Date.now();
    const waitUntil = (seconds: number) =>
      until(() => Date.now() - begun >= seconds * 1000, `second ${seconds}`);
    for (const seconds of [1.5, 3, 4.5]) {
      await waitUntil(seconds);
      const { status, body } = await client.refresh(refreshToken);
      expect({ seconds, status }).toEqual({ seconds, status: 200 });
      refreshToken = body['refresh_token'];
    }
    await waitUntil(4.5 + LIFETIME_SECONDS + 1);
    expect((await client.refresh(refreshToken)).status).toBeGreaterThanOrEqual(400);
  });
});
