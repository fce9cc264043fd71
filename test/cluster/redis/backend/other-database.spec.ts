import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { McpConfigurationError } from 'nestjs-mcp';
import { redisCluster, redisTaskStore, type RedisClusterOptions } from 'nestjs-mcp/redis';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { JoinedMember } from '../../../support/redis/joined-member.js';
import { REDIS_CLIENTS, type MadeClient } from '../../../support/redis/redis-clients.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';
import { buildRecord } from '../../../unit/server/extensions/tasks/build-record.js';

const SLOW = 60_000;

/** A client of either package, as far as it chooses another database. */
interface Selecting {
  select(database: number): Promise<unknown>;
}

describe.each(Object.entries(REDIS_CLIENTS))(
  'redisCluster() by %s that chose another database',
  (_name, connect) => {
    const clients: MadeClient[] = [];
    const members: JoinedMember[] = [];
    let server: RedisServer;

    async function makeClient(): Promise<RedisClusterOptions['client'] & Selecting> {
      const made = await connect(server.url);
      clients.push(made);
      return made.client as RedisClusterOptions['client'] & Selecting;
    }

    async function join(options: RedisClusterOptions): Promise<JoinedMember> {
      const member = await JoinedMember.join(
        redisCluster({ prefix: 'shop', startTimeoutMs: 20_000, ...options }),
      );
      members.push(member);
      return member;
    }

    beforeEach(async () => {
      server = await RedisServer.start();
    });
    afterEach(async () => {
      await Promise.all(members.splice(0).map(({ connection }) => connection.close()));
      for (const { close } of clients.splice(0)) close();
      await server.stop();
    });

    it.each([
      ['alone', false],
      ['beside an environment of the same prefix in the first one', true],
    ])(
      'refuses the client after "select()", %s, and says what to do (RELAY-14)',
      async (_title, hasOthers) => {
        const other = hasOthers ? await join({ client: await makeClient() }) : undefined;
        const client = await makeClient();
        await client.select(3);
        const joined = join({ client });
        await expect(joined).rejects.toBeInstanceOf(McpConfigurationError);
        await expect(joined).rejects.toThrow(
          /"redisCluster.client".*a different database.*instead of calling "select\(\)"/,
        );
        expect(await other?.connection.members()).toEqual(other && [other.id]);
        expect(await server.send('DBSIZE')).toBe(hasOthers ? 3 : 0);
      },
      SLOW,
    );

    it(
      'is out of the others while the client is in another database, and heals (RELAY-14)',
      async () => {
        const client = await makeClient();
        const [one, other] = [await join({ client }), await join({ client: await makeClient() })];
        await client.select(3);
        await until(
          () => one.connection.failure?.reason === 'ELSEWHERE',
          () => `the reason after ${one.told.join()}: ${one.connection.failure?.message}`,
        );
        expect(one.connection.isConnected).toBe(false);
        await client.select(0);
        await one.isUp();
        await one.connection.append('after');
        await Promise.all([one.hears('after'), other.hears('after')]);
      },
      SLOW,
    );

    it(
      'has a store of tasks say that it does not notice changes by others, until it does (RELAY-14)',
      async () => {
        const log = new RecordedLog();
        Logger.overrideLogger(log);
        try {
          const client = await makeClient();
          await client.select(3);
          const changed: string[] = [];
          const store = redisTaskStore({ client, prefix: 'shop' });
          const stop = store.watch?.((taskId) => changed.push(taskId));
          await until(() => log.find('warn', 'Task changes made').length > 0, 'the warning');
          expect(log.text).toContain('a different database');
          await client.select(0);
          let count = 0;
          await until(async () => {
            await store.create(buildRecord({ taskId: `task-${(count += 1)}` }));
            return changed.length > 0;
          }, 'a change');
          stop?.();
        } finally {
          Logger.overrideLogger(true);
        }
      },
      SLOW,
    );
  },
);
