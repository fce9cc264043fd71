import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { McpModule, Tool, type McpContext } from 'nestjs-mcp';
import { redisCluster, type RedisClusterOptions } from 'nestjs-mcp/redis';
import { z } from 'zod';
import { AnyResource } from '../../../support/applications/any-resource.js';
import { bootApp, type RunningApp } from '../../../support/applications/boot.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';

const KB = 1024;
const SECRET = 'the secret that all processes were given';
const SLOW_MS = 120_000;
const BOUNDS = {
  maxBytesPerCaller: 128 * KB,
  maxAnonymousBytes: 256 * KB,
  maxBytesPerAddress: 128 * KB,
};
const TOKENS = ['ada', 'bob'].map((subject) => ({ token: `token-of-${subject}-0123456789`, subject }));

class NoteTools {
  @Tool({ description: 'Keeps a note', inputSchema: z.object({ text: z.string() }) })
  async note({ text }: { text: string }, { state }: McpContext): Promise<string> {
    const handle = state.createHandle();
    await state.open(handle).set('note', text);
    return handle;
  }

  @Tool({ description: 'Finds a note', inputSchema: z.object({ handle: z.string() }) })
  async find({ handle }: { handle: string }, { state }: McpContext): Promise<string> {
    return (await state.open(handle).get<string>('note')) ?? 'none';
  }
}

describe('The bytes of records that clients make processes share', () => {
  const ends: (() => unknown)[] = [];
  let redis: RedisServer;

  beforeEach(async () => {
    redis = await RedisServer.start();
    ends.push(() => redis.stop());
  });

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  async function start(
    options: Partial<RedisClusterOptions> & { readonly isProtected?: boolean } = {},
  ): Promise<RunningApp> {
    const { isProtected = false, ...bounds } = options;
    const client = new Redis(redis.url);
    client.on('error', () => undefined);
    const app = await bootApp({
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'desk', version: '1.0.0' },
          secret: SECRET,
          cluster: redisCluster({ client, ...BOUNDS, ...bounds }),
          ...(isProtected && { auth: { bearer: TOKENS } }),
        }),
      ],
      providers: [NoteTools, AnyResource],
    });
    ends.push(
      () => client.disconnect(),
      () => app.close(),
    );
    return app;
  }

  const keys = async (part: string) => (await redis.send('KEYS', `*${part}*`)) as string[];
  const measure = async (part: string) => {
    const sizes = (await keys(part)).map((key) => redis.send('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
    return (await Promise.all(sizes)).reduce<number>((sum, size) => sum + Number(size), 0);
  };
  const uri = (index: number) => `desk://${String(index)}/${'x'.repeat(500)}`;

  it(
    'are bounded, however many sessions subscribe to however much (RELAY-13)',
    async () => {
      const { url } = await start();
      for (let index = 0; index < 60; index += 1) {
        const session = await initialize(url);
        for (let each = 0; each < 10; each += 1)
          await session.request('resources/subscribe', { uri: uri(each) });
      }
      expect(await measure(':record:session')).toBeGreaterThan(100 * KB);
      expect(await measure(':record:session')).toBeLessThan(400 * KB);
    },
    SLOW_MS,
  );

  it(
    'are bounded, however many sessions begin and end (RELAY-13)',
    async () => {
      const { url } = await start({ maxAnonymousBytes: 64 * KB });
      for (let index = 0; index < 200; index += 1) await (await initialize(url)).delete();
      const kept = (await keys(':record:session')).length;
      expect(kept).toBeGreaterThan(30);
      expect(kept).toBeLessThan(130);
    },
    SLOW_MS,
  );

  it(
    'leave an ended session ended, however much its caller stores afterwards, for processes that start later (RELAY-06) (RELAY-13)',
    async () => {
      const { url } = await start({ maxAnonymousBytes: 64 * KB, maxBytesPerAddress: 64 * KB });
      const ended = await initialize(url);
      const [earlier, mark] = [await initialize(url), `:record:session:${ended.id.split('.')[0]}`];
      await earlier.request('resources/subscribe', { uri: uri(0) });
      await ended.delete();
      for (let index = 0; index < 20; index += 1) {
        const session = await initialize(url);
        for (let each = 0; each < 10; each += 1)
          await session.request('resources/subscribe', { uri: uri(each) });
      }
      const isRemoved = async () => (await keys(`:record:session:${earlier.id.split('.')[0]}`)).length === 0;
      await until(isRemoved, 'what was stored before to make room');
      expect(await keys(mark)).toHaveLength(1);
      const later = await start();
      expect((await ended.at(later.url).request('tools/list')).status).toBe(404);
    },
    SLOW_MS,
  );

  it(
    'make room by scripts that use the keys that they are given, and no others (RELAY-10) (RELAY-13)',
    async () => {
      const client = new Redis(redis.url);
      const monitor = await client.monitor();
      ends.push(
        () => client.disconnect(),
        () => monitor.disconnect(),
      );
      const foreign = new Set<string>();
      let [given, removed] = [[] as readonly string[], 0];
      monitor.on('monitor', (_time: string, [name = '', ...values]: string[], source: string) => {
        const command = name.toLowerCase();
        if (command.startsWith('eval')) given = values.slice(2, 2 + Number(values[1]));
        else if (source === 'lua' && values[0] !== undefined && !given.includes(values[0]))
          foreign.add(`${command} ${values[0]}`);
        if (command === 'del' && values[0]?.includes(':record:') === true) removed += 1;
      });
      const { url } = await start();
      for (let index = 0; index < 40; index += 1) {
        const session = await initialize(url);
        for (let each = 0; each < 10; each += 1)
          await session.request('resources/subscribe', { uri: uri(each) });
      }
      await until(() => removed > 0, 'a record to make room');
      expect([...foreign]).toEqual([]);
    },
    SLOW_MS,
  );

  it(
    'are bounded, however much handlers store for callers without a token (RELAY-13)',
    async () => {
      const { url } = await start();
      const client = perRequest(url);
      let handle: unknown;
      for (let index = 0; index < 80; index += 1) {
        const { result } = await client.request('tools/call', {
          name: 'note',
          arguments: { text: 'x'.repeat(10 * KB) },
        });
        handle = (result?.['content'] as readonly { text: string }[] | undefined)?.[0]?.text;
      }
      expect(await measure(':record:state')).toBeGreaterThan(100 * KB);
      expect(await measure(':record:state')).toBeLessThan(400 * KB);
      const { result } = await client.request('tools/call', { name: 'find', arguments: { handle } });
      expect(result?.['content']).toEqual([{ type: 'text', text: 'x'.repeat(10 * KB) }]);
    },
    SLOW_MS,
  );

  it(
    'of one caller are bounded beside those of another, and given back (RELAY-13) (FAIR-03)',
    async () => {
      const { url } = await start({ isProtected: true, maxBytesPerCaller: 64 * KB });
      const as = (name: string) => ({ headers: { authorization: `Bearer token-of-${name}-0123456789` } });
      const bob = await initialize(url, as('bob'));
      await bob.request('resources/subscribe', { uri: uri(1) });
      const [ofBob] = await keys(':record:session');
      for (let index = 0; index < 18; index += 1) {
        const session = await initialize(url, as('ada'));
        for (let each = 0; each < 10; each += 1)
          await session.request('resources/subscribe', { uri: uri(each) });
      }
      expect(await measure(':record:session')).toBeLessThan(110 * KB);
      expect(await keys(':record:session')).toContain(ofBob);
      const before = await measure(ofBob ?? '');
      await bob.request('resources/unsubscribe', { uri: uri(1) });
      expect(await measure(ofBob ?? '')).toBeLessThan(before);
    },
    SLOW_MS,
  );
});
