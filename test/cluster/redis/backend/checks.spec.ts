import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { redisCluster } from 'nestjs-mcp/redis';
import { clusterChecks } from 'nestjs-mcp/testing';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';

describe('redisCluster()', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.stop());

  describe.each(Object.entries(REDIS_CLIENTS))('by %s (RELAY-10)', (_name, connect) => {
    const made: MadeClient[] = [];

    const checks = clusterChecks(async () => {
      const one = await connect(server.url);
      made.push(one);
      return redisCluster({ client: one.client });
    });

    afterEach(() => {
      for (const one of made.splice(0)) one.close();
    });

    it.each(checks)('$name', ({ run }) => expect(run()).resolves.toBeUndefined());
  });
});
