import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TaskProgram, TemporaryDirectory } from '../support/programs/task-program.js';
import {
  coreClient,
  publishedClient,
  textOfTask,
  type PublishedClient,
} from '../support/clients/task-wires.js';
import { until } from '../support/until.js';

/** What a process says within it shows the other that it lives, on a machine that does much else. */
const HOLDER_TIMEOUT_MS = '3000';

describe('Two processes that share a store of tasks', () => {
  let directory: TemporaryDirectory;
  let programs: readonly [TaskProgram, TaskProgram];
  let here: PublishedClient;
  let there: PublishedClient;

  beforeEach(async () => {
    directory = new TemporaryDirectory();
    await start({});
  });

  async function start(others: NodeJS.ProcessEnv): Promise<void> {
    const environment = { DIRECTORY: directory.path, HOLDER_TIMEOUT_MS, ...others };
    programs = await Promise.all([TaskProgram.start(environment), TaskProgram.start(environment)]);
    here = publishedClient(programs[0].url);
    there = publishedClient(programs[1].url);
  }

  afterEach(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    directory.remove();
  });

  it('show each other’s tasks as soon as they are known (TASK-01)', async () => {
    for (let count = 0; count < 10; count += 1) {
      const { taskId } = await here.create('work', { name: `t${count}` });
      expect(await there.get(taskId)).toMatchObject({ taskId });
    }
  });

  it('bring an answer to the one that runs the task (TASK-01)', async () => {
    const { taskId } = await here.create('ask');
    await there.reach(taskId, 'input_required');
    const word = { action: 'accept', content: { word: 'verso' } };
    await there.send('tasks/update', { taskId, inputResponses: { word } });
    const { pid } = await whoRuns(here);
    expect(textOfTask(await there.reach(taskId))).toBe(`verso by ${pid}`);
  });

  it('bring a cancellation to the one that runs the task (TASK-01)', async () => {
    const { taskId } = await here.create('work', { name: 'far', ms: 600_000 });
    await programs[0].prints('begun far');
    await there.send('tasks/cancel', { taskId });
    await programs[0].prints('aborted far');
    expect(await here.get(taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('tell who listens, and who waits, at the other (TASK-04) (TASK-05)', async () => {
    const stream = await there.listen([]);
    await stream.close();
    const { taskId } = await here.create('ask');
    const listening = await there.listen([taskId]);
    await listening.nextMessage(({ params }) => params?.['status'] === 'input_required');
    const core = await coreClient(programs[1].url);
    const waiting = await core.start('tasks/result', { taskId }).stream();
    const question = await waiting.nextMessage(({ method }) => method === 'elicitation/create');
    const result = { action: 'accept', content: { word: 'recto' } };
    await core.session.post({ jsonrpc: '2.0', id: question.id, result });
    const given = await waiting.nextMessage((message) => message.result !== undefined);
    expect(textOfTask(given.result ?? {})).toContain('recto by');
    await listening.nextMessage(({ params }) => params?.['status'] === 'completed');
    await listening.close();
  });

  it('end the tasks of one that is killed, and tell who listens; those of the other go on (TASK-02) (TASK-05)', async () => {
    const lost = await here.create('work', { name: 'lost', ms: 600_000 });
    const kept = await there.create('work', { name: 'kept', ms: 3000 });
    const stream = await there.listen([lost['taskId']]);
    await programs[0].stop('SIGKILL');
    const told = await stream.nextMessage(({ params }) => params?.['status'] === 'failed', 15_000);
    expect(told.params).toMatchObject({ error: { message: 'The process that ran the task has ended' } });
    expect(await there.reach(kept['taskId'])).toMatchObject({ status: 'completed' });
    await stream.close();
  });

  it('share the work of a queue that outlives them, each task once (TASK-02)', async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await start({ QUEUE: 'file', CONCURRENCY: '2' });
    const standing = await Promise.all(
      Array.from({ length: 4 }, (_, count) => here.create('work', { name: `standing${count}`, ms: 600_000 })),
    );
    const countBegun = ({ stdout }: TaskProgram) => stdout.match(/begun standing/g)?.length;
    await until(() => programs.every((program) => countBegun(program) === 2), 'both to work');
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, count) => here.create('work', { name: `s${count}`, ms: 30 })),
    );
    for (const { taskId } of standing) await here.send('tasks/cancel', { taskId });
    for (const { taskId } of created)
      expect(textOfTask(await there.reach(taskId))).toMatch(/^s\d+ is done by/);
    const figures = await Promise.all(programs.map((program) => program.figures()));
    expect(figures.reduce((sum, { done }) => sum + done, 0)).toBe(40);
    for (const { peak } of figures) expect(peak).toBeLessThanOrEqual(2);
  });
});

/** Finds out by which process a server's own tasks are run. */
async function whoRuns(client: PublishedClient): Promise<{ readonly pid: string }> {
  const { taskId } = await client.create('work', { name: 'who' });
  const text = textOfTask(await client.reach(taskId));
  return { pid: / by (\d+)$/.exec(text)?.[1] ?? '' };
}
