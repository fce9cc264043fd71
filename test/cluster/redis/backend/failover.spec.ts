import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { redisCluster, redisTaskStore } from 'nestjs-mcp/redis';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { TcpLink } from '../../../support/cluster/tcp-link.js';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';
import { buildRecord } from '../../../unit/server/extensions/tasks/build-record.js';

const SLOW = 60_000;

/** Long enough for a busy machine. */
const PATIENT = { commandTimeoutMs: 10_000, prefix: 'shop' };

/** More connections to a Redis than asking for their number makes until both processes have tried again. */
const MANY = 500;

/** Two Redis behind one name: new connections go to the primary, and those that are there stay where they are. */
class Pair {
  private constructor(
    readonly first: RedisServer,
    readonly second: RedisServer,
    private readonly name: TcpLink,
  ) {}

  static async start(): Promise<Pair> {
    const [first, second] = await Promise.all([RedisServer.start(), RedisServer.start()]);
    const pair = new Pair(first, second, await TcpLink.start(first.port));
    await follow(second, first);
    return pair;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.name.port}`;
  }

  /** Changes who is the primary. The name follows by itself, or later. */
  async failOver({ from, to }: { from: RedisServer; to: RedisServer }, isNamed = true): Promise<void> {
    await to.send('REPLICAOF', 'NO', 'ONE');
    await from.send('REPLICAOF', '127.0.0.1', to.port);
    if (isNamed) this.nameAs(to);
  }

  nameAs({ port }: RedisServer): void {
    this.name.leadNewTo(port);
  }

  async stop(): Promise<void> {
    this.name.stop();
    await Promise.all([this.first.stop(), this.second.stop()]);
  }
}

async function follow(replica: RedisServer, { port }: RedisServer): Promise<void> {
  await replica.send('REPLICAOF', '127.0.0.1', port);
  await until(
    async () => /master_link_status:up/.test(String(await replica.send('INFO', 'replication'))),
    'the replica',
  );
}

async function countConnections(server: RedisServer): Promise<number> {
  return Number(/total_connections_received:(\d+)/.exec(String(await server.send('INFO', 'stats')))?.[1]);
}

describe.each(Object.entries(REDIS_CLIENTS))(
  'redisCluster() by %s, after a failover that cuts no connection',
  (_name, connect) => {
    const clients: MadeClient[] = [];
    const members: JoinedMember[] = [];
    const log = new RecordedLog();
    let pair: Pair;

    async function start(): Promise<void> {
      log.clear();
      Logger.overrideLogger(log);
      pair = await Pair.start();
    }

    async function makeClient(): Promise<MadeClient['client']> {
      const made = await connect(pair.url);
      clients.push(made);
      return made.client;
    }

    async function join(): Promise<JoinedMember> {
      const member = await JoinedMember.join(redisCluster({ client: await makeClient(), ...PATIENT }));
      members.push(member);
      return member;
    }

    /** Waits until each of two processes hears the other. */
    async function hearEachOther(one: JoinedMember, other: JoinedMember, text: string): Promise<void> {
      for (const [from, to, what] of [
        [one, other, `${text}-1`],
        [other, one, `${text}-2`],
      ] as const) {
        await until(
          () =>
            from.connection.append(what).then(
              () => true,
              () => false,
            ),
          () => `a write after ${from.told.slice(-20).join(', ')}: ${from.connection.failure?.message}`,
          30_000,
        );
        await to.hears(what);
      }
      await Promise.all([one.isUp(), other.isUp()]);
    }

    afterEach(async () => {
      await Promise.all(members.splice(0).map(({ connection }) => connection.close()));
      for (const { close } of clients.splice(0)) close();
      await pair.stop();
      Logger.overrideLogger(true);
    });

    it(
      'goes on at the new primary, there and back, and says what happened (RELAY-15)',
      async () => {
        await start();
        const { first, second } = pair;
        const [one, other] = [await join(), await join()];
        await hearEachOther(one, other, 'before');
        await pair.failOver({ from: first, to: second });
        await hearEachOther(one, other, 'after');
        expect(log.find('warn', 'The Redis client is connected to a read-only replica')).not.toHaveLength(0);
        await pair.failOver({ from: second, to: first });
        await hearEachOther(one, other, 'back');
      },
      SLOW,
    );

    it(
      'waits for the name of the new primary, and does not say before that Redis is available again (RELAY-15)',
      async () => {
        await start();
        const { first, second } = pair;
        const [one, other] = [await join(), await join()];
        await hearEachOther(one, other, 'before');
        await pair.failOver({ from: first, to: second }, false);
        await Promise.all([one.isDown(), other.isDown()]);
        await until(() => one.connection.failure?.reason === 'READONLY', 'the reason');
        // Longer than each of them takes to connect anew.
        const connected = await countConnections(first);
        await until(
          async () => (await countConnections(first)) > connected + MANY,
          'further attempts',
          30_000,
        );
        expect(log.find('log', 'Redis is available again')).toHaveLength(0);
        expect([one.connection.isConnected, other.connection.isConnected]).toEqual([false, false]);
        pair.nameAs(second);
        await hearEachOther(one, other, 'after');
      },
      SLOW,
    );

    it(
      'keeps tasks at the new primary (RELAY-15)',
      async () => {
        await start();
        const store = redisTaskStore({ client: await makeClient(), ...PATIENT });
        await store.create(buildRecord({ taskId: 'before' }));
        await until(
          () => pair.second.send('EXISTS', 'shop:v1:{shop/mcp}:task:before'),
          'the task at the replica',
        );
        await pair.failOver({ from: pair.first, to: pair.second });
        await store.create(buildRecord({ taskId: 'after' }));
        expect(await Promise.all([store.find('before'), store.find('after')])).not.toContain(undefined);
        expect(await pair.second.send('EXISTS', 'shop:v1:{shop/mcp}:task:after')).toBe(1);
        expect(log.find('warn', 'The Redis client is connected to a read-only replica')).toHaveLength(1);
      },
      SLOW,
    );
  },
);
