import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TaskProgram } from '../../../support/programs/task-program.js';
import { publishedClient, textOfTask } from '../../../support/clients/task-wires.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { until } from '../../../support/until.js';

const LONG_MS = 60_000;
/** Longer than a machine that does much else holds up a process, which must not be taken for gone. */
const WORKER_TIMEOUT_MS = '5000';

describe('Tasks of processes that share a Redis', () => {
  let redis: RedisServer;
  let programs: TaskProgram[] = [];

  beforeAll(async () => {
    redis = await RedisServer.start();
  });

  afterEach(async () => {
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    programs = [];
  });

  afterAll(() => redis.stop());

  async function start(count: number): Promise<readonly TaskProgram[]> {
    const environment = { REDIS_URL: redis.url, WORKER_TIMEOUT_MS, CONCURRENCY: '4' };
    const started = await Promise.all(Array.from({ length: count }, () => TaskProgram.start(environment)));
    programs.push(...started);
    return started;
  }

  it('fail with a reason if the process is killed that runs them, in bounded time, and no others (RELAY-09) (TASK-02)', async () => {
    const [here, there] = (await start(2)) as [TaskProgram, TaskProgram];
    const [doomed, safe] = [publishedClient(here.url), publishedClient(there.url)];
    const done = await doomed.create('work', { name: 'done' });
    expect(await safe.reach(done['taskId'])).toMatchObject({ status: 'completed' });
    const long = { ms: 600_000 };
    const lost = await Promise.all(
      Array.from({ length: 12 }, (_, count) => doomed.create('work', { name: `lost-${count}`, ...long })),
    );
    const kept = await safe.create('work', { name: 'kept', ms: 15_000 });
    const listening = await safe.listen(lost.map(({ taskId }) => taskId));
    await here.stop('SIGKILL');
    const hasHeard = (taskId: unknown): boolean =>
      listening.messages.some(
        ({ params }) => params?.['taskId'] === taskId && params?.['status'] === 'failed',
      );
    await until(() => lost.every(({ taskId }) => hasHeard(taskId)), 'the ends of all tasks', LONG_MS);
    for (const { taskId } of lost) {
      expect(await safe.get(taskId)).toMatchObject({
        status: 'failed',
        statusMessage: 'The process that ran the task has ended',
      });
    }
    await listening.close();
    expect(textOfTask(await safe.get(done['taskId']))).toMatch(/^done is done/);
    const end = await until(
      async () => {
        const task = await safe.get(kept['taskId']);
        return task['status'] !== 'working' && task;
      },
      'the end of the other task',
      LONG_MS,
    );
    expect(end).toMatchObject({ status: 'completed' });
  }, 120_000);

  it('fail as soon although somebody else has written among the open tasks (RELAY-12) (TASK-02)', async () => {
    const [here, there] = (await start(2)) as [TaskProgram, TaskProgram];
    const { taskId } = await publishedClient(here.url).create('work', { name: 'lost', ms: 600_000 });
    const [open = ''] = (await redis.send('KEYS', '*:tasks:open')) as string[];
    for (const [id, text] of Object.entries({ poison: 'not json', number: '7', empty: '{}' })) {
      await redis.send(
        'HSET',
        open.replace('tasks:open', `task:${id}`),
        'task',
        text,
        'version',
        1,
        'expires',
        1,
      );
      await redis.send('ZADD', open, 0, id, 0, `nothing behind ${id}`);
    }
    await here.stop('SIGKILL');
    const ended = await until(
      async () => {
        const task = await publishedClient(there.url).get(taskId);
        return task['status'] === 'failed' && task;
      },
      'the end of the task',
      LONG_MS,
    );
    expect(ended).toMatchObject({ statusMessage: 'The process that ran the task has ended' });
  }, 120_000);

  it('are answered with 503 while Redis hangs, run on meanwhile, and end once it is back (RELAY-07) (RELAY-09)', async () => {
    const [here, there] = (await start(2)) as [TaskProgram, TaskProgram];
    const [nearby, far] = [publishedClient(here.url), publishedClient(there.url)];
    const { taskId } = await nearby.create('work', { name: 'hung', ms: 1000 });
    redis.pause();
    try {
      const answer = await nearby.send('tasks/get', { taskId });
      expect([answer.status, answer.error?.code]).toEqual([503, -32603]);
    } finally {
      redis.resume();
    }
    const ended = await until(
      async () => {
        const { result } = await far.send('tasks/get', { taskId });
        return result?.['status'] === 'completed' && result;
      },
      'the end of the task',
      LONG_MS,
    );
    expect(textOfTask(ended)).toMatch(/^hung is done/);
  }, 120_000);
});
