import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { redisCluster, type RedisClusterOptions } from 'nestjs-mcp/redis';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { until } from '../../../support/until.js';
import { RedisServer, type RedisServerOptions } from '../../../support/redis/redis-server.js';

const SLOW = 60_000;

/** A Redis that has just begun may be slow beside others. */
const PATIENT = { commandTimeoutMs: 10_000 };

/** Long enough for a Redis that works, and short enough to wait for one that hangs. */
const WATCHFUL = { commandTimeoutMs: 3_000 };

/** Keeps the process from doing anything, without a core that Redis may need. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A command that is sent while the connection breaks has no answer, and a later one is not sent at all. */
const UNREACHABLE = /cannot be reached|not respond/;

/** What a process was told, apart from its connection: a busy machine may cost it more often than the test does. */
function textsOf({ told }: JoinedMember): readonly string[] {
  // What was sent while the connection broke, clients of Redis send again once there is another.
  return told.filter((one) => !['up', 'down', 'lost'].includes(one));
}

/** What a process was told between the two texts of a test. */
function betweenTexts({ told }: JoinedMember): readonly string[] {
  return told.slice(told.indexOf('before'), told.indexOf('after'));
}

describe.each(Object.entries(REDIS_CLIENTS))('redisCluster() by %s, in an outage', (_name, connect) => {
  const clients: MadeClient[] = [];
  const members: JoinedMember[] = [];
  let server: RedisServer;

  async function start(options?: RedisServerOptions): Promise<void> {
    server = await RedisServer.start(options);
  }

  async function join(options: Partial<RedisClusterOptions> = {}): Promise<JoinedMember> {
    const made = await connect(server.url);
    clients.push(made);
    const member = await JoinedMember.join(redisCluster({ client: made.client, ...options }));
    members.push(member);
    return member;
  }

  afterEach(async () => {
    await Promise.all(members.splice(0).map(({ connection }) => connection.close()));
    for (const { close } of clients.splice(0)) close();
    await server.stop();
  });

  it('does not take Redis for silent if the process itself stood still', async () => {
    await start();
    const member = await join(WATCHFUL);
    const { connection, told } = member;
    const appended = connection.append('text');
    // The command is sent in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    standStill(2 * WATCHFUL.commandTimeoutMs);
    await appended;
    await member.hears('text');
    expect([connection.isConnected, told]).toEqual([true, ['up', 'text']]);
  });

  it(
    'notices a Redis that hangs, sends it nothing, and gives what was missed when it goes on',
    async () => {
      await start();
      const [one, other] = [await join(WATCHFUL), await join(WATCHFUL)];
      await one.connection.append('before');
      await other.hears('before');
      server.pause();
      await expect(one.connection.append('lost')).rejects.toThrow(UNREACHABLE);
      expect(one.connection.isConnected).toBe(false);
      await expect(one.connection.find('key')).rejects.toThrow('Redis');
      await other.isDown();
      server.resume();
      await Promise.all([one.isUp(), other.isUp()]);
      await one.connection.append('after');
      await other.hears('after');
      expect(textsOf(other)).toEqual(['before', 'after']);
      expect(betweenTexts(other)).toContain('down');
    },
    SLOW,
  );

  it(
    'goes on in the log of a Redis that comes back with its data',
    async () => {
      await start({ keepsData: true });
      const [one, other] = [await join(PATIENT), await join(PATIENT)];
      const { epoch } = await one.connection.append('before');
      await other.hears('before');
      await server.kill();
      await one.isDown();
      await expect(one.connection.append('lost')).rejects.toThrow(UNREACHABLE);
      await server.start();
      await Promise.all([one.isUp(), other.isUp()]);
      expect((await one.connection.append('after')).epoch).toBe(epoch);
      await other.hears('after');
      expect(textsOf(other)).toEqual(['before', 'after']);
      expect(betweenTexts(other)).toContain('down');
    },
    SLOW,
  );

  it(
    'tells of a gap if Redis comes back empty',
    async () => {
      await start();
      const [one, other] = [await join(PATIENT), await join(PATIENT)];
      const position = await one.connection.append('before');
      await other.hears('before');
      await server.restart();
      await Promise.all([one.hears('gap'), other.hears('gap')]);
      await Promise.all([one.isUp(), other.isUp()]);
      await one.connection.append('after');
      await other.hears('after');
      expect(textsOf(other)).toEqual(['before', 'gap', 'after']);
      expect(betweenTexts(other)).toContain('down');
      expect(await one.connection.read(position, 10)).toBeUndefined();
      expect(other.connection.figures.gaps).toBe(1);
      expect(other.connection.figures.reconnections).toBeGreaterThan(0);
    },
    SLOW,
  );

  it(
    'tells of a gap if Redis is emptied while it runs',
    async () => {
      await start();
      const [one, other] = [await join(PATIENT), await join(PATIENT)];
      await one.connection.append('before');
      await other.hears('before');
      await server.send('FLUSHALL');
      await Promise.all([one.hears('gap'), other.hears('gap')]);
      await one.connection.append('after');
      await other.hears('after');
      expect(textsOf(other)).toEqual(['before', 'gap', 'after']);
      await until(async () => (await one.connection.members()).length === 2, 'both processes');
    },
    SLOW,
  );

  it(
    'loses nothing if every connection is cut, again and again',
    async () => {
      await start();
      const [one, other] = [await join(PATIENT), await join(PATIENT)];
      const texts: string[] = [];
      for (let round = 0; round < 5; round += 1) {
        for (let count = 0; count < 10; count += 1) {
          const text = `${round}-${count}`;
          const taken = await one.connection.append(text).then(
            () => true,
            () => false,
          );
          if (taken) texts.push(text);
          if (count === 5) await server.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        }
        await Promise.all([one.isUp(), other.isUp()]);
      }
      await one.connection.append('end');
      await Promise.all([one.hears('end'), other.hears('end')]);
      expect(texts.length).toBeGreaterThan(20);
      const entries = other.entries.map(({ text }) => text);
      expect(entries.filter((text) => texts.includes(text))).toEqual(texts);
      expect(other.entries).toEqual(one.entries);
      expect(other.told).not.toContain('gap');
    },
    SLOW,
  );

  it(
    'logs an outage once, without what is secret',
    async () => {
      const log = new RecordedLog();
      Logger.overrideLogger(log);
      try {
        await start();
        const one = await join();
        for (let round = 0; round < 3; round += 1) {
          await server.kill();
          await one.isDown();
          await server.start();
          await one.isUp();
        }
        expect(log.find('warn', 'Redis is unavailable')).toHaveLength(1);
        expect(log.find('log', 'Redis is available again')).toHaveLength(1);
        expect(log.text).not.toContain('redis://');
      } finally {
        Logger.overrideLogger(true);
      }
    },
    SLOW,
  );
});
