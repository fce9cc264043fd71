import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { McpModule, Tool, type AuthOptions } from 'nestjs-mcp';
import { redisCluster, type RedisClusterOptions } from 'nestjs-mcp/redis';
import { z } from 'zod';
import { bootApp, type RunningApp } from '../../../support/applications/boot.js';
import {
  coreClient,
  publishedClient,
  textOfTask,
  type TaskClient,
} from '../../../support/clients/task-wires.js';
import { RedisServer } from '../../../support/redis/redis-server.js';

const MB = 1024 * 1024;
const SECRET = 'the secret that all processes were given';
/** Fewer than by default, so that a flood takes seconds. */
const FEW = { maxBytesPerCaller: 16 * MB, maxAnonymousBytes: 8 * MB };

const SLOW_MS = 120_000;

const TOKENS: AuthOptions = {
  bearer: ['ada', 'bob'].map((subject) => ({ token: `token-of-${subject}-0123456789`, subject })),
};

class EchoTools {
  @Tool({ description: 'Says it again', inputSchema: z.object({ text: z.string() }), task: 'optional' })
  echo({ text }: { text: string }): string {
    return text;
  }

  @Tool({ description: 'Says much', inputSchema: z.object({ bytes: z.number() }), task: 'optional' })
  fill({ bytes }: { bytes: number }): string {
    return 'x'.repeat(bytes);
  }
}

describe('A flood of tasks on several processes with a Redis', () => {
  const ends: (() => unknown)[] = [];

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  async function startRedis(): Promise<RedisServer> {
    const redis = await RedisServer.start();
    ends.push(() => redis.stop());
    return redis;
  }

  async function start(
    redis: RedisServer,
    { auth, ...bounds }: Partial<RedisClusterOptions> & { readonly auth?: AuthOptions } = {},
  ): Promise<RunningApp> {
    const client = new Redis(redis.url);
    client.on('error', () => undefined);
    const app = await bootApp({
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'desk', version: '1.0.0' },
          secret: SECRET,
          cluster: redisCluster({ client, ...bounds }),
          tasks: true,
          ...(auth && { auth }),
        }),
      ],
      providers: [EchoTools],
    });
    ends.push(
      () => client.disconnect(),
      () => app.close(),
    );
    return app;
  }

  const usedBy = async (redis: RedisServer) =>
    Number(/used_memory:(\d+)/.exec(String(await redis.send('INFO', 'memory')))?.[1]);

  const echo = async (client: TaskClient, text: string) => {
    const { taskId } = await client.create('echo', { text });
    return client.reach(taskId);
  };

  it(
    'by a client without a token shuts nobody out, though Redis has little room (RELAY-13) (FAIR-03)',
    async () => {
      const redis = await startRedis();
      const [here, there] = [await start(redis, FEW), await start(redis, FEW)];
      const before = await usedBy(redis);
      await redis.send('CONFIG', 'SET', 'maxmemory', `${before + 20 * MB}`);
      await redis.send('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
      const text = 'x'.repeat(60_000);
      const flood = Array.from({ length: 10 }, async () => {
        for (let index = 0; index < 40; index += 1) await echo(await coreClient(here.url), text);
      });
      await Promise.all(flood);
      expect((await usedBy(redis)) - before).toBeLessThan(15 * MB);
      for (const { url } of [here, there]) {
        for (const client of [await coreClient(url), publishedClient(url)]) {
          expect(await echo(client, 'still here')).toMatchObject({ status: 'completed' });
        }
      }
    },
    SLOW_MS,
  );

  it(
    'by a caller with a token keeps the newest results, and those of others (RELAY-13) (FAIR-03)',
    async () => {
      const redis = await startRedis();
      const [here, there] = [
        await start(redis, { auth: TOKENS, ...FEW }),
        await start(redis, { auth: TOKENS, ...FEW }),
      ];
      const as = ({ url }: RunningApp, name: string) =>
        publishedClient(url, { headers: { authorization: `Bearer token-of-${name}-0123456789` } });
      const bob = as(there, 'bob');
      const kept = await bob.create('echo', { text: 'of bob' });
      await bob.reach(kept['taskId']);
      const before = await usedBy(redis);
      let last: unknown;
      for (let index = 0; index < 16; index += 1) {
        const ada = as(index % 2 === 0 ? here : there, 'ada');
        ({ taskId: last } = await ada.create('fill', { bytes: 3 * MB }));
        expect((await ada.reach(last))['status']).toBe('completed');
      }
      expect((await usedBy(redis)) - before).toBeLessThan(30 * MB);
      expect(textOfTask(await as(here, 'ada').get(last))).toHaveLength(3 * MB);
      expect(textOfTask(await bob.get(kept['taskId']))).toBe('of bob');
      expect(textOfTask(await echo(bob, 'more'))).toBe('more');
    },
    SLOW_MS,
  );

  it(
    'is refused with 429 while its tasks run, and a result without room fails its own task (RELAY-13) (FAIR-09)',
    async () => {
      const redis = await startRedis();
      const here = await start(redis, { auth: TOKENS, maxBytesPerCaller: MB });
      const as = (name: string) =>
        publishedClient(here.url, { headers: { authorization: `Bearer token-of-${name}-0123456789` } });
      const { taskId } = await as('ada').create('fill', { bytes: 2 * MB });
      expect(await as('ada').reach(taskId)).toMatchObject({ status: 'failed' });
      const large = await as('ada').call('echo', { text: 'x'.repeat(2 * MB) });
      expect([large.status, large.error?.code]).toEqual([413, -32600]);
      expect(textOfTask(await echo(as('bob'), 'of bob'))).toBe('of bob');
      expect(textOfTask(await echo(as('ada'), 'of ada'))).toBe('of ada');
    },
    SLOW_MS,
  );
});
