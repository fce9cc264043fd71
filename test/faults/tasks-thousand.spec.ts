import { afterEach, describe, expect, it } from '@jest/globals';
import { TaskProgram } from '../support/programs/task-program.js';
import { publishedClient, type PublishedClient } from '../support/clients/task-wires.js';
import { until } from '../support/until.js';
import { inTurns } from './in-turns.js';

const TASKS = 1000;
const CONCURRENCY = 25;
/** What a process of this size may keep warm, however often it has done the same. */
const HEAP_GROWTH_BYTES = 3 * 1_048_576;

describe('A thousand tasks at once', () => {
  let program: TaskProgram;

  afterEach(() => program.stop());

  it('run so many at a time, none is lost, and no memory stays behind (TASK-02)', async () => {
    program = await TaskProgram.start({
      CONCURRENCY: String(CONCURRENCY),
      TTL_MS: '6000',
      HOLDER_TIMEOUT_MS: '300',
    });
    const client = publishedClient(program.url);
    await runAll(client);
    await runAll(client);
    const before = await program.figures();
    const { completed, gone } = await runAll(client);
    const after = await program.figures();
    expect([completed, gone]).toEqual([TASKS, TASKS]);
    expect(after).toMatchObject({ peak: CONCURRENCY, done: 3 * TASKS });
    expect(after.heapBytes - before.heapBytes).toBeLessThan(HEAP_GROWTH_BYTES);
  }, 180_000);
});

interface Counts {
  readonly completed: number;
  /** How many were there no more after their time to live. */
  readonly gone: number;
}

/** Creates all tasks at once, listens to them all, and waits until they are completed, and then until they are gone. */
async function runAll(client: PublishedClient): Promise<Counts> {
  const created = await inTurns(TASKS, 50, (count) => client.create('work', { name: `t${count}`, ms: 2 }));
  const ids = created.map(({ taskId }) => taskId);
  const stream = await client.listen(ids);
  const countEnds = (): number =>
    new Set(
      stream.messages
        .filter(({ params }) => params?.['status'] === 'completed')
        .map(({ params }) => params?.['taskId']),
    ).size;
  await until(() => countEnds() === TASKS || stream.isEnded, 'the end of all tasks', 20_000);
  const completed = countEnds();
  await stream.close();
  const last = ids.at(-1);
  await until(
    async () => (await client.send('tasks/get', { taskId: last })).error,
    'the last removal',
    20_000,
  );
  const looks = await inTurns(TASKS, 50, (count) => client.send('tasks/get', { taskId: ids[count] }));
  return { completed, gone: looks.filter(({ error }) => error?.code === -32602).length };
}
