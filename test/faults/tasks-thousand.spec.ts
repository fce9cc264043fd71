import { afterEach, describe, expect, it } from '@jest/globals';
import { TaskProgram } from '../support/programs/task-program.js';
import type { EventStream } from '../support/clients/event-stream.js';
import { publishedClient, type PublishedClient } from '../support/clients/task-wires.js';
import { until } from '../support/until.js';
import { inTurns } from './in-turns.js';

const TASKS = 1000;
const CONCURRENCY = 25;
/** So many are listened to by one stream, which is opened as soon as they are there: their time to live runs from their creation. */
const STREAM_OF = 50;
const TTL_MS = 10_000;
/** What a process of this size may keep warm, however often it has done the same. */
const HEAP_GROWTH_BYTES = 3 * 1_048_576;

describe('A thousand tasks at once', () => {
  let program: TaskProgram;

  afterEach(() => program.stop());

  it('run so many at a time, none is lost, and no memory stays behind (TASK-02)', async () => {
    program = await TaskProgram.start({
      CONCURRENCY: String(CONCURRENCY),
      TTL_MS: String(TTL_MS),
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
  const ids: unknown[] = [];
  const opened: Promise<EventStream>[] = [];
  await inTurns(TASKS, 50, async (count) => {
    const { taskId } = await client.create('work', { name: `t${count}`, ms: 2 });
    ids.push(taskId);
    if (ids.length % STREAM_OF === 0) opened.push(client.listen(ids.slice(-STREAM_OF)));
  });
  const streams = await Promise.all(opened);
  const countEnds = (): number =>
    new Set(
      streams
        .flatMap(({ messages }) => messages)
        .filter(({ params }) => params?.['status'] === 'completed')
        .map(({ params }) => params?.['taskId']),
    ).size;
  const isOver = () => countEnds() === TASKS || streams.some(({ isEnded }) => isEnded);
  await until(isOver, 'the end of all tasks', 60_000);
  const completed = countEnds();
  await Promise.all(streams.map((stream) => stream.close()));
  const last = ids.at(-1);
  await until(async () => (await client.send('tasks/get', { taskId: last })).error, 'the last removal');
  const looks = await inTurns(TASKS, 50, (count) => client.send('tasks/get', { taskId: ids[count] }));
  return { completed, gone: looks.filter(({ error }) => error?.code === -32602).length };
}
