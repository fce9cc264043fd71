import { hkdfSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { McpOptions, TaskRecord, TaskStore } from 'nestjs-mcp';
import { redisCluster, redisTaskStore } from 'nestjs-mcp/redis';
import { bootTaskDesk, type TaskDesk } from '../../support/applications/task-desk.js';
import { TaskLedger } from '../../../lib/server/extensions/tasks/ledger/task-ledger.js';
import type { Keyring } from '../../../lib/core/sealing/keyring.js';
import { TaskCodec } from '../../../lib/redis/tasks/task-codec.js';
import {
  coreClient,
  publishedClient,
  textOfTask,
  type PublishedClient,
} from '../../support/clients/task-wires.js';
import { REDIS_CLIENTS, type MadeClient } from '../../support/redis/redis-clients.js';
import { RedisServer } from '../../support/redis/redis-server.js';
import { REDIS_TYPES, spoilKey, type RedisType } from '../../support/redis/spoil-key.js';
import { until } from '../../support/until.js';
import { buildRecord } from '../../unit/server/extensions/tasks/build-record.js';

const SECRET = 'a secret that two processes share, and nobody else has';
const TOKENS = ['the-token-of-alice-0123456789', 'the-token-of-bob-01234567890'] as const;
const BEARER = TOKENS.map((token, index) => ({ token, subject: ['alice', 'bob'][index] as string }));
const FOREIGN = { content: [{ type: 'text', text: 'FORGED RESULT' }] };

const deriveFormer = (purpose: string, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', SECRET, salt, `nestjs-mcp ${purpose}`, 32));

/** What somebody does who can write to Redis, and has no secret. */
class Attacker {
  constructor(
    private readonly redis: RedisServer,
    readonly base: string,
  ) {}

  taskKey(taskId: unknown): string {
    return `${this.base}:task:${String(taskId)}`;
  }

  /** Reads the text and the version of a task. */
  async read(taskId: unknown): Promise<readonly string[]> {
    return (await this.redis.send('HMGET', this.taskKey(taskId), 'task', 'version')) as string[];
  }

  async write(taskId: unknown, text: string, version: number | string = 1): Promise<void> {
    const expires = Date.now() + 3_600_000;
    await this.redis.send('HSET', this.taskKey(taskId), 'task', text, 'version', version, 'expires', expires);
  }

  /** Writes a task as a process without a secret writes it. */
  async forge(record: TaskRecord): Promise<void> {
    await this.write(record.taskId, JSON.stringify(record), record.version);
  }
}

describe('Tasks in a Redis that somebody else writes to', () => {
  let redis: RedisServer;
  let warnings: string[];
  let prefixes = 0;
  let prefix: string;
  const desks: TaskDesk[] = [];
  const clients: MadeClient[] = [];

  const connect = async (): Promise<MadeClient> => {
    const made = await (REDIS_CLIENTS['ioredis 6'] as (url: string) => Promise<MadeClient>)(redis.url);
    clients.push(made);
    return made;
  };

  async function boot(options: Partial<McpOptions> = {}, at = prefix): Promise<TaskDesk> {
    const { client } = await connect();
    const cluster = redisCluster({ client, prefix: at });
    const desk = await bootTaskDesk({ secret: SECRET, cluster, auth: { bearer: BEARER }, ...options });
    desks.push(desk);
    return desk;
  }

  const clientOf = ({ url }: TaskDesk, who: 0 | 1 = 0): PublishedClient =>
    publishedClient(url, { headers: { authorization: `Bearer ${TOKENS[who]}` } });
  const attack = (at = prefix) => new Attacker(redis, `${at}:v1:{${at}/mcp}`);
  async function findOwner(taskId: unknown): Promise<string> {
    const { client } = await connect();
    const task = await redisTaskStore({ client, prefix, secret: SECRET }).find(String(taskId));
    return task?.owner ?? '';
  }

  const listIds = async ({ url }: TaskDesk, who: 0 | 1 = 0): Promise<readonly unknown[]> => {
    const client = await coreClient(url, { headers: { authorization: `Bearer ${TOKENS[who]}` } });
    const { result } = await client.send('tasks/list');
    return (result?.['tasks'] as readonly { taskId: unknown }[]).map(({ taskId }) => taskId);
  };

  beforeAll(async () => {
    redis = await RedisServer.start();
  });

  beforeEach(() => {
    prefixes += 1;
    prefix = `attacked-${prefixes}`;
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void warnings.push(String(line)));
  });

  afterEach(async () => {
    await Promise.all(desks.splice(0).map((desk) => desk.close()));
    for (const { close } of clients.splice(0)) close();
    jest.restoreAllMocks();
  });

  afterAll(() => redis.stop());

  it('are not forged: neither a result, nor a question, nor a task that never was (RELAY-12)', async () => {
    const [here, there] = [await boot(), await boot()];
    const alice = clientOf(here);
    const { taskId } = await alice.create('wait', { name: 'real' });
    const whole = await alice.create('wait', { name: 'whole' });
    const attacker = attack();
    // Who the owner is follows from the issuer and the subject, which are no secret.
    const owner = await findOwner(taskId);
    const forged = buildRecord({ owner, status: 'completed', result: FOREIGN, version: 2 });
    for (const id of [taskId, 'made-up']) await attacker.forge({ ...forged, taskId: String(id) });
    for (const id of [taskId, 'made-up']) {
      const { response } = await clientOf(there).send('tasks/get', { taskId: id });
      expect([id, response?.error?.code]).toEqual([id, -32602]);
    }
    const question = { ask: { method: 'elicitation/create', params: { message: 'Your password?' } } };
    await attacker.forge({
      ...forged,
      taskId: String(taskId),
      status: 'input_required',
      inputRequests: question as never,
    });
    expect(JSON.stringify(await clientOf(there).send('tasks/get', { taskId }))).not.toContain('password');
    const lines = warnings.filter((line) => line.includes('cannot be read'));
    expect(lines).toEqual([expect.stringContaining(attacker.taskKey(taskId))]);
    expect(lines.join()).not.toMatch(/FORGED|alice|password/);
    here.tools.gates.at('whole').open();
    expect(textOfTask(await clientOf(there).reach(whole['taskId']))).toBe('whole is done');
  });

  it('are not run with other arguments than those of the caller, although they wait (RELAY-12)', async () => {
    const desk = await boot({ tasks: { concurrency: 1 } });
    const alice = clientOf(desk);
    const first = await alice.create('wait', { name: 'first' });
    const second = await alice.create('wait', { name: 'second' });
    const third = await alice.create('wait', { name: 'third' });
    await attack().forge(
      buildRecord({
        taskId: String(second['taskId']),
        call: {
          version: '2026-07-28',
          params: { name: 'wait', arguments: { name: 'by-attacker' } },
          client: { capabilities: {} },
        },
      }),
    );
    for (const name of ['first', 'second', 'third', 'by-attacker']) desk.tools.gates.at(name).open();
    await alice.reach(first['taskId']);
    expect(textOfTask(await alice.reach(third['taskId']))).toBe('third is done');
    expect([...desk.tools.calls.keys()]).toEqual(['first', 'third']);
  });

  it('are not run for a caller that a forged record names, although a queue gives their ids (RELAY-12)', async () => {
    let run: (taskId: string) => Promise<void> = async () => undefined;
    const queue = {
      isDurable: true,
      start: (start: typeof run) => void (run = start),
      add: (taskId: string) => void run(taskId),
      stop: () => undefined,
    };
    const desk = await boot({ tasks: { queue } });
    const call = {
      version: '2026-07-28',
      params: { name: 'wait', arguments: { name: 'admin' } },
      client: { capabilities: {} },
      authentication: { method: 'bearer', claims: { sub: 'root' }, scopes: ['admin'], identity: 'root' },
    };
    await attack().forge(buildRecord({ taskId: 'forged', call }));
    desk.tools.gates.at('admin').open();
    await run('forged');
    const { taskId } = await clientOf(desk).create('wait', { name: 'real' });
    desk.tools.gates.at('real').open();
    await clientOf(desk).reach(taskId);
    expect([...desk.tools.calls]).toEqual([['real', 1]]);
  });

  it.each([
    ['text that is no JSON', 'not json'],
    ['JSON of something else', '{"taskId":17}'],
    ['text that begins as if it were encrypted', 'e1:AAAA'],
    ['nothing', ''],
  ])('harm no list and no look for lost ones where one is %s (RELAY-12)', async (_what, text) => {
    const [here, there] = [await boot(), await boot({ tasks: { holderTimeoutMs: 300 } })];
    const errors: string[] = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line) => void errors.push(String(line)));
    const alice = clientOf(here);
    const spoilt = await alice.create('wait', { name: 'spoilt' });
    const whole = await alice.create('wait', { name: 'whole' });
    const attacker = attack();
    await attacker.write(spoilt['taskId'], text);
    for (const id of ['of-nothing', 'bytes\xff', 'a b', '', '|', 'x'.repeat(5000)]) {
      await redis.send('ZADD', `${attacker.base}:tasks:open`, 1, id);
      await redis.send('ZADD', `${attacker.base}:tasks:expiry`, 1, id);
    }
    expect(await listIds(there)).toEqual([whole['taskId']]);
    const { response } = await clientOf(there).send('tasks/get', spoilt);
    expect(response?.error?.code).toBe(-32602);
    const open = `${attacker.base}:tasks:open`;
    // Whoever looks for lost tasks has removed what is none.
    await until(async () => Number(await redis.send('ZCARD', open)) <= 2, 'the open tasks to be healed');
    const expiry = `${attacker.base}:tasks:expiry`;
    await until(
      async () => (await redis.send('ZCOUNT', expiry, '-inf', 1)) === 0,
      'the expiries to be healed',
    );
    expect(errors).toEqual([]);
  });

  it('are not taken over from another prefix, nor under another id (RELAY-12)', async () => {
    const [staging, production] = [await boot({}, `${prefix}-staging`), await boot()];
    const [tester, alice] = [clientOf(staging), clientOf(production)];
    const { taskId } = await tester.create('wait', { name: 'of staging' });
    staging.tools.gates.at('of staging').open();
    expect(textOfTask(await tester.reach(taskId))).toBe('of staging is done');
    const [text = '', version = ''] = await attack(`${prefix}-staging`).read(taskId);
    await attack().write(taskId, text, version);
    expect((await alice.send('tasks/get', { taskId })).response?.error?.code).toBe(-32602);
    const own = await alice.create('wait', { name: 'own' });
    production.tools.gates.at('own').open();
    await alice.reach(own['taskId']);
    const [ownText = '', ownVersion = ''] = await attack().read(own['taskId']);
    await attack().write('another-id', ownText, ownVersion);
    expect((await alice.send('tasks/get', { taskId: 'another-id' })).response?.error?.code).toBe(-32602);
    expect(textOfTask(await alice.get(own['taskId']))).toBe('own is done');
  });

  it('run once, although earlier versions are put back and queued again (RELAY-12) (TASK-02)', async () => {
    const runs: ((taskId: string) => Promise<void>)[] = [];
    const openQueue = () => ({
      isDurable: true,
      start: (run: (taskId: string) => Promise<void>) => void runs.push(run),
      add: () => undefined,
      stop: () => undefined,
    });
    const [here, there] = [
      await boot({ tasks: { queue: openQueue() } }),
      await boot({ tasks: { queue: openQueue() } }),
    ];
    const attacker = attack();
    const states: (readonly string[])[] = [];
    const alice = clientOf(here);
    const { taskId } = await alice.create('wait', { name: 'once' });
    states.push(await attacker.read(taskId));
    const running = runs[0]?.(String(taskId));
    await until(() => here.tools.calls.get('once') === 1, 'the call');
    states.push(await attacker.read(taskId));
    expect(states.map(([, version]) => version)).toEqual(['1', '2']);
    const putBack = async (...earlier: readonly (readonly string[])[]): Promise<void> => {
      for (const [text = '', version = ''] of earlier) {
        for (const told of [version, '1', '2', '3']) {
          await attacker.write(taskId, text, told);
          await Promise.all(runs.map((run) => run(String(taskId))));
        }
      }
    };
    // The other process knows from the log what became of the task, as it knows what comes later.
    const hearNews = async (): Promise<void> => {
      const next = await alice.create('wait', { name: 'next' });
      const ledger = there.app.get(TaskLedger);
      const before = buildRecord({ taskId: String(next['taskId']), version: 0 });
      await until(() => ledger.isSuperseded(before), 'the news');
    };
    await hearNews();
    there.tools.gates.at('once').open();
    await putBack(states[0] ?? []);
    await attacker.write(taskId, ...(states[1] as [string, string]));
    here.tools.gates.at('once').open();
    expect(textOfTask(await alice.reach(taskId))).toBe('once is done');
    await running;
    await hearNews();
    await putBack(...states);
    expect([here.tools.calls.get('once'), there.tools.calls.get('once')]).toEqual([1, undefined]);
    for (const desk of [here, there]) {
      expect((await clientOf(desk).send('tasks/get', { taskId })).response?.error?.code).toBe(-32602);
    }
  });

  it('show one caller nothing of another, whatever is pushed into lists (RELAY-12)', async () => {
    const desk = await boot();
    const [alice, bob] = [clientOf(desk), clientOf(desk, 1)];
    const ofAlice = await alice.create('wait', { name: 'of alice' });
    const ofBob = await bob.create('wait', { name: 'of bob' });
    const lists = (await redis.send('KEYS', `${attack().base}:tasks:of:*`)) as string[];
    expect(lists).toHaveLength(2);
    for (const list of lists) {
      for (const { taskId, createdAt } of [ofAlice, ofBob]) {
        for (const at of [createdAt, '2020-01-01T00:00:00.000Z', 'zzz']) {
          await redis.send('ZADD', list, 0, `${String(at)}|${String(taskId)}`);
        }
      }
      await redis.send('ZADD', list, 0, 'rubbish', 0, '|', 0, 'bytes\xff');
    }
    expect(await listIds(desk)).toEqual([ofAlice['taskId']]);
    expect(await listIds(desk, 1)).toEqual([ofBob['taskId']]);
  });

  it('heal after each of their keys was made another type, before and during calls (RELAY-12)', async () => {
    const [here, there] = [await boot(), await boot({ tasks: { holderTimeoutMs: 500 } })];
    const alice = clientOf(here);
    const attacker = attack();
    for (const type of REDIS_TYPES) {
      const running = await alice.create('wait', { name: `running ${type}` });
      const keys = (await redis.send('KEYS', `${attacker.base}:tas*`)) as string[];
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
    const [here, there] = [await boot(), await boot({ tasks: { holderTimeoutMs: 300 } })];
    const holders = `${attack().base}:tasks:holders`;
    const { taskId } = await clientOf(here).create('wait', { name: 'goes on' });
    const lost = await connect();
    const other = redisTaskStore({ client: lost.client, prefix, secret: SECRET });
    await other.create(buildRecord({ taskId: 'lost', holder: 'nobody' }));
    await until(async () => (await other.find('lost'))?.status === 'failed', 'a look for lost tasks');
    await other.create(buildRecord({ taskId: 'lost-too', holder: 'nobody' }));
    await redis.send('SET', holders, 'rubbish');
    await until(async () => (await other.find('lost-too'))?.status === 'failed', 'another look');
    here.tools.gates.at('goes on').open();
    expect(textOfTask(await clientOf(there).reach(taskId))).toBe('goes on is done');
  });

  const spoil = (key: string, type: RedisType): Promise<void> => spoilKey(redis, key, type);

  it('are refused by a store of their own, unless its secret encrypted them (RELAY-12)', async () => {
    const { client } = await connect();
    const open = (secret?: string, at = prefix): TaskStore =>
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
    const { client } = await connect();
    const record = buildRecord({ taskId: 'former', owner: 'ada' });
    // The format before had keys of the secret alone.
    const formerKeys = {
      isEmpty: false,
      derive: (purpose: string, salt: Buffer) => [deriveFormer(purpose, salt)],
    };
    const text = new TaskCodec(formerKeys as unknown as Keyring).format(record);
    await attack().write('former', text);
    const open = (acceptFormerFormatUntil?: string): TaskStore =>
      redisTaskStore({
        client,
        prefix,
        secret: SECRET,
        ...(acceptFormerFormatUntil && { acceptFormerFormatUntil }),
      });
    expect(await open('2999-12-31').find('former')).toMatchObject({ owner: 'ada' });
    expect(await open('2020-01-01').find('former')).toBeUndefined();
    expect(await open().find('former')).toBeUndefined();
    expect(() => open('soon')).toThrow('"redisTaskStore.acceptFormerFormatUntil" must be a day');
  });

  it('tell watchers of changes again after their stream was spoilt (RELAY-12)', async () => {
    const { client } = await connect();
    const store = redisTaskStore({ client, prefix, secret: SECRET });
    const heard = new Set<string>();
    const stop = store.watch?.((taskId) => void heard.add(taskId));
    let created = 0;
    for (const type of ['string', 'zset', 'stream', 'stream'] as const) {
      if (created > 0) await spoil(`${attack().base}:tasks:changes`, type);
      await until(async () => {
        created += 1;
        await store.create(buildRecord({ taskId: `${type}-${created}` }));
        return heard.has(`${type}-${created - 1}`);
      }, `a change after ${type}`);
    }
    stop?.();
  });
});
