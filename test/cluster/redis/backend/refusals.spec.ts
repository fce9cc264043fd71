import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisCluster, type RedisClusterOptions } from 'nestjs-mcp/redis';
import { TcpLink } from '../../../support/cluster/tcp-link.js';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { RedisServer, type RedisServerOptions } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';

const SLOW = 60_000;

const clients: Redis[] = [];
const members: JoinedMember[] = [];
const servers: RedisServer[] = [];
const links: TcpLink[] = [];

async function start(options?: RedisServerOptions): Promise<RedisServer> {
  const server = await RedisServer.start(options);
  servers.push(server);
  return server;
}

function connect({ port }: Reachable): Redis {
  const client = new Redis(port, '127.0.0.1');
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}

async function join(
  server: Reachable,
  options: Partial<RedisClusterOptions> = {},
  name?: string,
): Promise<JoinedMember> {
  const member = await JoinedMember.join(redisCluster({ client: connect(server), ...options }), name);
  members.push(member);
  return member;
}

/** A server, or what leads to one. */
type Reachable = Pick<RedisServer, 'port'>;

const later = () => Date.now() + 60_000;

describe('redisCluster()', () => {
  afterEach(async () => {
    await Promise.all(members.splice(0).map(({ connection }) => connection.close()));
    for (const client of clients.splice(0)) if (client.status !== 'end') client.disconnect();
    for (const link of links.splice(0)) link.stop();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  it(
    'says that Redis has no memory left, and goes on when it has',
    async () => {
      const server = await start();
      const { connection } = await join(server);
      await server.send('CONFIG', 'SET', 'maxmemory', '1');
      await expect(connection.append('text')).rejects.toThrow('OOM');
      await until(() => !connection.isConnected, 'the loss of the connection');
      await server.send('CONFIG', 'SET', 'maxmemory', '0');
      await until(() => connection.isConnected, 'the connection');
      await connection.append('text');
    },
    SLOW,
  );

  it(
    'says that Redis takes no writes, and goes on when it does',
    async () => {
      const [primary, server] = [await start(), await start()];
      const { connection } = await join(server);
      await server.send('REPLICAOF', '127.0.0.1', `${primary.port}`);
      await expect(connection.append('text')).rejects.toThrow(
        /READONLY|UNBLOCKED|cannot be reached|MASTERDOWN|LOADING/,
      );
      await until(() => !connection.isConnected, 'the loss of the connection');
      await server.send('REPLICAOF', 'NO', 'ONE');
      await until(() => connection.isConnected, 'the connection');
      await connection.append('text');
    },
    SLOW,
  );

  it(
    'tells of a gap if a replica is promoted that has not got everything',
    async () => {
      const [primary, replica] = [await start(), await start()];
      const link = await TcpLink.start(primary.port);
      links.push(link);
      const one = await join(link);
      const shared = await one.connection.append('shared');
      await one.hears('shared');
      await replica.send('REPLICAOF', '127.0.0.1', `${primary.port}`);
      await until(
        async () => String(await replica.send('INFO', 'replication')).includes('master_link_status:up'),
        'the replication',
        20_000,
      );
      await replica.send('REPLICAOF', 'NO', 'ONE');
      const lost = await one.connection.append('lost');
      await one.hears('lost');
      // The replica takes the place of the primary, and has news of its own that have the numbers of what was lost.
      await primary.kill();
      await one.isDown();
      const other = await join(replica);
      for (const text of ['news 1', 'news 2', 'news 3']) await other.connection.append(text);
      await other.connection.close();
      link.leadTo(replica.port);
      await one.hears('gap');
      await one.isUp();
      const { epoch } = await one.connection.append('after');
      await one.hears('after');
      expect(epoch).not.toBe(shared.epoch);
      expect(await one.connection.read(lost, 10)).toBeUndefined();
      // A busy machine may cost it its connection more often than the test does.
      const { told } = one;
      expect(told.filter((what) => !['up', 'down'].includes(what)).slice(0, 3)).toEqual([
        'shared',
        'lost',
        'gap',
      ]);
      expect(told.slice(told.indexOf('lost'), told.indexOf('gap'))).toContain('down');
    },
    SLOW,
  );

  it(
    'keeps so many entries, and knows that others are gone',
    async () => {
      const server = await start();
      const { connection } = await join(server, { maxEntries: 200 });
      const [first, ...others] = await Promise.all(
        Array.from({ length: 1_000 }, (_, index) => connection.append(`${index}`)),
      );
      expect(await connection.read(first as never, 10)).toBeUndefined();
      const last = await connection.read(others.at(-100) as never, 1_000);
      expect(last?.map(({ text }) => text)).toEqual(
        Array.from({ length: 99 }, (_, index) => `${901 + index}`),
      );
    },
    SLOW,
  );

  it(
    'keeps a bounded number of bytes of what was sent, however large the messages are (RELAY-07)',
    async () => {
      const server = await start();
      const [one, other] = [await join(server), await join(server)];
      const text = 'x'.repeat(512 * 1024);
      for (let count = 0; count < 100; count += 1) await one.connection.send(text, other.id);
      await until(
        () => other.told.filter((told) => told === `<${text}`).length === 100,
        '100 repeated messages',
      );
      const [key] = (await server.send('KEYS', `*:inbox:${other.id}`)) as [string];
      expect(Number(await server.send('MEMORY', 'USAGE', key, 'SAMPLES', '0'))).toBeLessThan(
        48 * 1024 * 1024,
      );
      await one.connection.send('small', other.id);
      await other.hears('<small');
    },
    SLOW,
  );

  it(
    'keeps so many bytes',
    async () => {
      const server = await start();
      const { connection } = await join(server, { maxBytes: 1024 * 1024 });
      const text = 'x'.repeat(100_000);
      for (let count = 0; count < 50; count += 1) await connection.append(text);
      const [key] = (await server.send('KEYS', '*:log')) as [string];
      expect(Number(await server.send('MEMORY', 'USAGE', key))).toBeLessThan(2 * 1024 * 1024);
      const length = Number(await server.send('XLEN', key));
      expect(length).toBeGreaterThanOrEqual(5);
      expect(length).toBeLessThanOrEqual(11);
    },
    SLOW,
  );

  it(
    'goes on if Redis forgets the scripts',
    async () => {
      const server = await start();
      const { connection, entries } = await join(server);
      await connection.append('before');
      await server.send('SCRIPT', 'FLUSH');
      await Promise.all(['1', '2', '3'].map((text) => connection.append(text)));
      await connection.change({ key: 'key', set: { a: '1' }, expires: later() });
      await until(() => entries.length === 4, 'the entries');
      expect(entries.map(({ text }) => text)).toEqual(['before', '1', '2', '3']);
    },
    SLOW,
  );

  it(
    'knows soon that a process is dead which said nothing',
    async () => {
      const server = await start();
      const [one, other] = [await join(server), await join(server)];
      // The way of a process that was killed: its connections end, and it says nothing.
      for (const client of clients.slice(1)) client.disconnect();
      await until(async () => (await one.connection.members()).join() === one.id, 'the death', 10_000);
      expect(await one.connection.send('text', other.id)).toBe(0);
    },
    SLOW,
  );

  it(
    'leaves no key without an end, and none outside its prefix',
    async () => {
      const server = await start();
      const [one, other] = [
        await join(server, { prefix: 'shop:a' }),
        await join(server, { prefix: 'shop:a' }, '/{x} y'),
      ];
      for (const { connection, id } of [one, other]) {
        await connection.append('text', { key: 'key', set: { a: '1' }, expires: later() });
        await connection.lease('work', 60_000);
        await connection.send('text', id);
        await connection.send('text');
      }
      const keys = (await server.send('KEYS', '*')) as readonly string[];
      expect(keys).toHaveLength(14);
      for (const key of keys) {
        expect(key).toMatch(/^shop:a:v1:\{shop:a\/[^{} ]+\}:/);
        expect(Number(await server.send('PTTL', key))).toBeGreaterThan(0);
      }
    },
    SLOW,
  );
});
