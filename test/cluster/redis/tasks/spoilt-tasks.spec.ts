import { hkdfSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { TaskStore } from 'nestjs-mcp';
import { redisTaskStore } from 'nestjs-mcp/redis';
import type { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { TaskCodec } from '../../../../lib/redis/tasks/task-codec.js';
import { textOfTask } from '../../../support/clients/task-wires.js';
import { AttackedTasks, clientOf, listIds, SECRET } from '../../../support/redis/attacked-tasks.js';
import { REDIS_TYPES, spoilKey, type RedisType } from '../../../support/redis/spoil-key.js';
import { until } from '../../../support/until.js';
import { buildRecord } from '../../../unit/server/extensions/tasks/build-record.js';

const deriveFormer = (purpose: string, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', SECRET, salt, `nestjs-mcp ${purpose}`, 32));

describe('Tasks in a Redis that somebody else spoils', () => {
  let scene: AttackedTasks;

  beforeAll(async () => {
    scene = await AttackedTasks.start();
  });
  beforeEach(() => {
    scene.begin();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(async () => {
    await scene.end();
    jest.restoreAllMocks();
  });
  afterAll(() => scene.redis.stop());

  const spoil = (key: string, type: RedisType): Promise<void> => spoilKey(scene.redis, key, type);

  it.each([
    ['text that is no JSON', 'not json'],
    ['JSON of something else', '{"taskId":17}'],
    ['text that begins as if it were encrypted', 'e1:AAAA'],
    ['nothing', ''],
  ])('harm no list and no look for lost ones where one is %s (RELAY-12)', async (_what, text) => {
    const [here, there] = [await scene.boot(), await scene.boot({ tasks: { workerTimeoutMs: 300 } })];
    const errors: string[] = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line) => void errors.push(String(line)));
    const alice = clientOf(here);
    const spoilt = await alice.create('wait', { name: 'spoilt' });
    const whole = await alice.create('wait', { name: 'whole' });
    const attacker = scene.attack();
    await attacker.write(spoilt['taskId'], text);
    for (const id of ['of-nothing', 'bytes\xff', 'a b', '', '|', 'x'.repeat(5000)]) {
      await scene.redis.send('ZADD', `${attacker.base}:tasks:open`, 1, id);
      await scene.redis.send('ZADD', `${attacker.base}:tasks:expiry`, 1, id);
    }
    expect(await listIds(there)).toEqual([whole['taskId']]);
    const { response } = await clientOf(there).send('tasks/get', spoilt);
    expect(response?.error?.code).toBe(-32602);
    const open = `${attacker.base}:tasks:open`;
    // Whoever looks for lost tasks has removed what is none.
    await until(
      async () => Number(await scene.redis.send('ZCARD', open)) <= 2,
      'the open tasks to be healed',
    );
    const expiry = `${attacker.base}:tasks:expiry`;
    await until(
      async () => (await scene.redis.send('ZCOUNT', expiry, '-inf', 1)) === 0,
      'the expiries to be healed',
    );
    expect(errors).toEqual([]);
  });
  it('heal after each of their keys was made another type, before and during calls (RELAY-12)', async () => {
    const [here, there] = [await scene.boot(), await scene.boot({ tasks: { workerTimeoutMs: 500 } })];
    const alice = clientOf(here);
    const attacker = scene.attack();
    for (const type of REDIS_TYPES) {
      const running = await alice.create('wait', { name: `running ${type}` });
      const keys = (await scene.redis.send('KEYS', `${attacker.base}:tas*`)) as string[];
      expect(keys.length).toBeGreaterThanOrEqual(4);
      for (const key of keys.filter((name) => !name.includes(':task:'))) await spoil(key, type);
      const later = await clientOf(there).create('wait', { name: `later ${type}` });
      for (const name of ['running', 'later']) {
        for (const { tools } of [here, there]) tools.gates.at(`${name} ${type}`).open();
      }
      expect(textOfTask(await clientOf(there).reach(running['taskId']))).toBe(`running ${type} is done`);
      expect(textOfTask(await alice.reach(later['taskId']))).toBe(`later ${type} is done`);
    }
  });

  it('go on although what processes say of their lives was deleted (RELAY-12)', async () => {
    const [here, there] = [await scene.boot(), await scene.boot({ tasks: { workerTimeoutMs: 300 } })];
    const workers = `${scene.attack().base}:tasks:workers`;
    const { taskId } = await clientOf(here).create('wait', { name: 'goes on' });
    const lost = await scene.connect();
    const other = redisTaskStore({ client: lost.client, prefix: scene.prefix, secret: SECRET });
    await other.create(buildRecord({ taskId: 'lost', worker: 'nobody' }));
    await until(async () => (await other.find('lost'))?.status === 'failed', 'a look for lost tasks');
    await other.create(buildRecord({ taskId: 'lost-too', worker: 'nobody' }));
    await scene.redis.send('SET', workers, 'rubbish');
    await until(async () => (await other.find('lost-too'))?.status === 'failed', 'another look');
    here.tools.gates.at('goes on').open();
    expect(textOfTask(await clientOf(there).reach(taskId))).toBe('goes on is done');
  });

  const openHolders = async () => {
    const { client } = await scene.connect();
    return redisTaskStore({ client, prefix: scene.prefix, secret: SECRET }).workers;
  };

  it('count as held by whoever says so, although that is deleted again and again (RELAY-12) (TASK-02)', async () => {
    const [one, other] = [await openHolders(), await openHolders()];
    const key = `${scene.attack().base}:tasks:workers`;
    const soon = () => Date.now() + 200;
    await one?.renew('one', soon());
    await other?.renew('other', soon());
    expect(await other?.list(Date.now())).toEqual(expect.arrayContaining(['one', 'other']));
    const begin = Date.now();
    while (Date.now() < begin + 1000) {
      await one?.renew('one', soon());
      await scene.redis.send('DEL', key);
      await other?.renew('other', soon());
      expect(await other?.list(Date.now())).toContain('one');
    }
    await until(async () => {
      await other?.renew('other', soon());
      return !(await other?.list(Date.now()))?.includes('one');
    }, 'one to count as gone');
  });

  it('count as held by whoever began only now, although what processes said is lost meanwhile (RELAY-12) (TASK-02)', async () => {
    const desk = await scene.boot({ tasks: { workerTimeoutMs: 900 } });
    const key = `${scene.attack().base}:tasks:workers`;
    const { client } = await scene.connect();
    const other = redisTaskStore({ client, prefix: scene.prefix, secret: SECRET });
    await until(async () => Number(await scene.redis.send('ZCARD', key)) > 0, 'the process');
    await other.create(buildRecord({ taskId: 'lost', worker: 'nobody' }));
    await until(async () => (await other.find('lost'))?.status === 'failed', 'a look for lost tasks');
    await scene.redis.send('DEL', key);
    await other.create(buildRecord({ taskId: 'fresh', worker: 'who begins' }));
    await until(async () => Number(await scene.redis.send('ZCARD', key)) > 0, 'the process again');
    await other.workers?.renew('who begins', Date.now() + 60_000);
    await clientOf(desk).create('wait', { name: 'passes' });
    await other.create(buildRecord({ taskId: 'lost too', worker: 'nobody' }));
    await until(async () => (await other.find('lost too'))?.status === 'failed', 'another look');
    expect((await other.find('fresh'))?.status).toBe('working');
    desk.tools.gates.at('passes').open();
  });

  it('count as held for as long as was said, although an earlier time is put back (RELAY-12) (TASK-02)', async () => {
    const [one, other] = [await openHolders(), await openHolders()];
    const key = `${scene.attack().base}:tasks:workers`;
    await one?.renew('one', Date.now() + 60_000);
    await other?.renew('other', Date.now() + 60_000);
    expect(await other?.list(Date.now())).toContain('one');
    await scene.redis.send('ZADD', key, Date.now() + 30_000, 'one');
    expect(await other?.list(Date.now())).toContain('one');
    expect(await other?.list(Date.now() + 45_000)).toContain('one');
  });

  it('are refused by a store of their own, unless its secret encrypted them (RELAY-12)', async () => {
    const { client } = await scene.connect();
    const open = (secret?: string, at = scene.prefix): TaskStore =>
      redisTaskStore({ client, prefix: at, ...(secret !== undefined && { secret }) });
    const record = buildRecord({ taskId: 'plain', owner: 'ada' });
    await open().create(record);
    expect(await open().find('plain')).toMatchObject({ taskId: 'plain' });
    expect(await open(SECRET).find('plain')).toBeUndefined();
    expect(await open(SECRET).listOpen()).toEqual([]);
    expect(await open(SECRET).list({ owner: 'ada', limit: 9 })).toEqual([]);
    await open(SECRET).create({ ...record, taskId: 'sealed' });
    expect((await open(SECRET).listOpen()).map(({ taskId }) => taskId)).toEqual(['sealed']);
  });

  it('of the format before are accepted until the day that is given, and no longer (RELAY-12)', async () => {
    const { client } = await scene.connect();
    const record = buildRecord({ taskId: 'former', owner: 'ada' });
    // The format before had keys of the secret alone.
    const formerKeys = {
      isEmpty: false,
      derive: (purpose: string, salt: Buffer) => [deriveFormer(purpose, salt)],
    };
    const text = new TaskCodec(formerKeys as unknown as Keyring).format(record);
    await scene.attack().write('former', text);
    const open = (acceptFormerFormatUntil?: string): TaskStore =>
      redisTaskStore({
        client,
        prefix: scene.prefix,
        secret: SECRET,
        ...(acceptFormerFormatUntil && { acceptFormerFormatUntil }),
      });
    expect(await open('2999-12-31').find('former')).toMatchObject({ owner: 'ada' });
    expect(await open('2020-01-01').find('former')).toBeUndefined();
    expect(await open().find('former')).toBeUndefined();
    expect(() => open('soon')).toThrow('"redisTaskStore.acceptFormerFormatUntil" must be a day');
  });

  it('tell watchers of changes again after their stream was spoilt (RELAY-12)', async () => {
    const { client } = await scene.connect();
    const store = redisTaskStore({ client, prefix: scene.prefix, secret: SECRET });
    const heard = new Set<string>();
    const stop = store.watch?.((taskId) => void heard.add(taskId));
    let created = 0;
    for (const type of ['string', 'zset', 'stream', 'stream'] as const) {
      if (created > 0) await spoil(`${scene.attack().base}:tasks:changes`, type);
      await until(async () => {
        created += 1;
        await store.create(buildRecord({ taskId: `${type}-${created}` }));
        return heard.has(`${type}-${created - 1}`);
      }, `a change after ${type}`);
    }
    stop?.();
    expect(heard.size).toBeGreaterThan(0);
  });
});
