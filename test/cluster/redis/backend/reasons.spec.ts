import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { McpConfigurationError } from 'nestjs-mcp';
import { redisCluster, redisTaskStore, type RedisClusterOptions } from 'nestjs-mcp/redis';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { CONNECTING_CLIENTS } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';

const SLOW = 60_000;
const PASSWORD = 'geheim';

/**
 * Longer than a client of these waits before it tries again, and than a Redis beside others takes: an outage before that of a test would
 * take the one line a minute.
 */
const PATIENT = { startTimeoutMs: 30_000, commandTimeoutMs: 10_000 };

/** A password that all need, and a user who may nothing but ping. */
const LOCKED = [`requirepass ${PASSWORD}`, 'user guest on >gast ~other:* -@all +ping'];

describe.each(Object.entries(CONNECTING_CLIENTS))('redisCluster() by %s, told no', (_name, begin) => {
  const ends: (() => unknown)[] = [];
  let log: RecordedLog;

  beforeEach(() => Logger.overrideLogger((log = new RecordedLog())));

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    Logger.overrideLogger(true);
  });

  async function start(file: readonly string[], port?: number): Promise<RedisServer> {
    const server = await RedisServer.start({ file, ...(port !== undefined && { port }) });
    ends.push(() => server.stop());
    return server;
  }

  function connect(url: string) {
    const made = begin(url);
    ends.push(made.close);
    return made;
  }

  async function join(url: string, options: Partial<RedisClusterOptions> = {}): Promise<JoinedMember> {
    const member = await JoinedMember.join(redisCluster({ client: connect(url).client, ...options }));
    ends.push(() => member.connection.close());
    return member;
  }

  it.each([
    ['a wrong password', ':falsch@', /must log in with a user and password.*WRONGPASS/],
    ['no password', '', /must log in with a user and password.*NOAUTH/],
    ['a user without rights', 'guest:gast@', /must have all permissions on "nestjs-mcp:\*".*NOPERM/],
  ])('does not start with %s, and says so', async (_case, user, expected) => {
    const { port } = await start(LOCKED);
    const failed = join(`redis://${user}127.0.0.1:${port}`, PATIENT);
    await expect(failed).rejects.toThrow(expected);
    await expect(failed).rejects.toBeInstanceOf(McpConfigurationError);
    await expect(failed).rejects.not.toThrow(/falsch|gast/);
  });

  it('does not start without a Redis that is required, and says that nobody listens', async () => {
    const failed = join(`redis://127.0.0.1:${await findFreePort()}`, {
      startTimeoutMs: 1_000,
      required: true,
    });
    await expect(failed).rejects.toThrow(/"redisCluster.required" is on: .*ECONNREFUSED/);
  });

  it('starts alone, and says in the log why', async () => {
    const { connection } = await join(`redis://:ab@127.0.0.1:${await findFreePort()}`, {
      startTimeoutMs: 1_000,
    });
    expect(log.find('warn', 'The server starts standalone')).toEqual([
      expect.stringContaining('ECONNREFUSED'),
    ]);
    expect(connection.failure).toMatchObject({ reason: 'ECONNREFUSED' });
    expect(log.text).not.toContain(':ab@');
  });

  it(
    'says in the log why the connection does not come back',
    async () => {
      const server = await start([]);
      const member = await join(server.url, PATIENT);
      await server.stop();
      await member.isDown();
      await start(LOCKED, server.port);
      await until(() => member.connection.failure?.reason === 'NOAUTH', 'the reason', 20_000);
      await until(
        () => log.find('warn').some((line) => /ECONNREFUSED|NOAUTH/.test(line)),
        'the reason in the log',
      );
      await expect(member.connection.append('text')).rejects.toMatchObject({
        code: 'refused',
        reason: 'NOAUTH',
      });
    },
    SLOW,
  );

  it('has no reason any more once the connection is back', async () => {
    const server = await start([]);
    const member = await join(server.url, PATIENT);
    await server.kill();
    await until(() => member.connection.failure !== undefined, 'the failure');
    await server.start();
    await member.isUp();
    expect(member.connection.failure).toBeUndefined();
  });

  it('says once in the log that Redis can be used, and for whom', async () => {
    const { port } = await start(LOCKED);
    await join(`redis://:${PASSWORD}@127.0.0.1:${port}`, { ...PATIENT, prefix: 'shop' });
    expect(log.find('log', 'Redis is available:')).toEqual([
      expect.stringContaining('all processes with the prefix "shop" act as one server at "/mcp"'),
    ]);
    expect(log.find('warn')).toEqual([]);
    expect(log.text).not.toContain(PASSWORD);
  });

  it(
    'says in the log that Redis can be used once it is there, after it started alone',
    async () => {
      const port = await findFreePort();
      const member = await join(`redis://127.0.0.1:${port}`, { startTimeoutMs: 500 });
      expect(log.find('log', 'Redis is available:')).toEqual([]);
      await start([], port);
      await member.isUp();
      expect(log.find('log', 'Redis is available:')).toEqual([expect.stringContaining('act as one server')]);
    },
    SLOW,
  );

  it('says why tasks cannot be reached', async () => {
    const { port } = await start(LOCKED);
    const store = redisTaskStore({ client: connect(`redis://:falsch@127.0.0.1:${port}`).client });
    await expect(store.listOpen()).rejects.toThrow(/The task store cannot be reached: .*WRONGPASS/);
  });
});
