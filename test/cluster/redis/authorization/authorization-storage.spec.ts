import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthorizationStorage } from 'nestjs-mcp/authorization-server';
import { redisAuthorizationStorage } from 'nestjs-mcp/redis';
import { AuthorizationClient } from '../../../support/authorization/authorization-client.js';
import { AuthorizationServerScene } from '../../../support/authorization/authorization-server-scene.js';
import { CookieBrowser } from '../../../support/authorization/cookie-browser.js';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';

let server: RedisServer;

beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.stop());

describe.each(Object.entries(REDIS_CLIENTS))('redisAuthorizationStorage() with %s', (name, connect) => {
  let made: MadeClient;
  let storage: AuthorizationStorage;

  beforeEach(async () => {
    made = await connect(server.url);
    storage = redisAuthorizationStorage({ client: made.client, prefix: name.replace(' ', '-') });
    const isReady = () =>
      storage.get('Client:none').then(
        () => true,
        () => false,
      );
    await until(isReady, 'the connection');
  });
  afterEach(() => made.close());

  it('returns what was set, until it expires (AS-03)', async () => {
    await storage.set('Client:one', 'value', 1);
    await expect(storage.get('Client:one')).resolves.toBe('value');
    await until(async () => (await storage.get('Client:one')) === undefined, 'the end of the entry');
    await expect(storage.get('Client:two')).resolves.toBeUndefined();
  });

  it('lets one of several add a value, and one take it (AS-03)', async () => {
    const both = ['one', 'two', 'three'];
    const added = await Promise.all(both.map((value) => storage.add('Consumed:key', value, 60)));
    expect(added.filter(Boolean)).toHaveLength(1);
    const taken = await Promise.all(both.map(() => storage.take('Consumed:key')));
    expect(taken.filter((value) => value !== undefined)).toHaveLength(1);
    await expect(storage.add('Consumed:key', 'again', 60)).resolves.toBe(true);
    await storage.take('Consumed:key');
  });

  it('counts, until the counter expires (AS-03)', async () => {
    const increment = async () =>
      (await storage.increment?.('Limit:one', 1)) ?? { count: 0, expiresInSeconds: Number.NaN };
    const counts = await Promise.all([increment(), increment(), increment()]);
    expect(new Set(counts.map(({ count }) => count))).toEqual(new Set([1, 2, 3]));
    expect(counts.every(({ expiresInSeconds }) => expiresInSeconds <= 1)).toBe(true);
    const isNew = async () => (await increment()).count === 1;
    await until(isNew, 'the end of the counter');
  });

  it('limits callers over three applications together (AS-03)', async () => {
    const scene = await AuthorizationServerScene.start({
      applications: 3,
      server: { storage, maxAuthorizationsPerAddress: 4 },
    });
    try {
      const client = await AuthorizationClient.register(scene);
      const statuses: number[] = [];
      for (let asked = 0; asked < 6; asked += 1)
        statuses.push((await new CookieBrowser().request(client.buildUrl())).status);
      expect(statuses).toEqual([303, 303, 303, 303, 429, 429]);
    } finally {
      await scene.stop();
    }
  });

  it('is shared by three applications, through a login and refreshes (AS-03)', async () => {
    const scene = await AuthorizationServerScene.start({ applications: 3, server: { storage } });
    try {
      const client = await AuthorizationClient.register(scene);
      const { body } = await client.redeem((await client.authorize()).get('code'));
      await expect(client.call(body['access_token'])).resolves.toMatchObject({ status: 200 });
      await expect(client.refresh(body['refresh_token'])).resolves.toMatchObject({ status: 200 });
      await expect(client.refresh(body['refresh_token'])).resolves.toMatchObject({ status: 400 });
    } finally {
      await scene.stop();
    }
  });
});
