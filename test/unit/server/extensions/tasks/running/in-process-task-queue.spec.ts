import { beforeEach, describe, expect, it } from '@jest/globals';
import { InProcessTaskQueue } from '../../../../../../lib/server/extensions/tasks/running/in-process-task-queue.js';

describe('InProcessTaskQueue', () => {
  let queue: InProcessTaskQueue;
  let begun: string[];
  let ends: Map<string, () => void>;

  beforeEach(() => {
    queue = new InProcessTaskQueue(2);
    begun = [];
    ends = new Map();
  });

  const run = (taskId: string): Promise<void> => {
    begun.push(taskId);
    return new Promise((resolve) => ends.set(taskId, resolve));
  };
  const end = async (taskId: string): Promise<void> => {
    ends.get(taskId)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('runs so many at once, in the order in which they came (TASK-02)', async () => {
    queue.start(run);
    for (const taskId of ['a', 'b', 'c', 'd']) queue.add(taskId);
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('a');
    await end('c');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keeps what comes before it is started (TASK-02)', () => {
    queue.add('a');
    expect(begun).toEqual([]);
    queue.start(run);
    expect(begun).toEqual(['a']);
  });

  it('runs a task once that is added twice while it waits (TASK-02)', async () => {
    queue.start(run);
    for (const taskId of ['a', 'b', 'c', 'c']) queue.add(taskId);
    await end('a');
    await end('b');
    await end('c');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('keeps nothing of a task that is taken out before it has begun (FAIR-03) (TASK-02)', async () => {
    queue.add('z');
    queue.remove('z');
    queue.start(run);
    for (const taskId of ['a', 'b', 'c', 'd']) queue.add(taskId);
    queue.remove('c');
    queue.remove('a');
    expect(['a', 'b', 'c', 'd'].map((taskId) => queue.has(taskId))).toEqual([false, false, false, true]);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('takes up nothing more once it is stopped (MOD-12)', async () => {
    queue.start(run);
    for (const taskId of ['a', 'b', 'c']) queue.add(taskId);
    queue.stop();
    await end('a');
    queue.add('d');
    expect(begun).toEqual(['a', 'b']);
  });
});
