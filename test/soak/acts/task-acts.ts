import { setTimeout as delay } from 'node:timers/promises';
import { assertSame } from '../tally.js';
import { textOf, type Visit } from '../visit.js';
import type { Act } from './session-acts.js';

const POLL_MS = 100;
const MOST_POLLS = 200;
/** Longer than any task lives. */
const FOREVER_MS = 60_000;

/** What becomes of tasks of 2025-11-25. */
export const TASK_ACTS: readonly Act<Visit>[] = [
  { name: 'task followed', weight: 3, run: follow },
  { name: 'task awaited', weight: 2, run: awaitResult },
  { name: 'task cancelled', weight: 2, run: cancel },
  { name: 'task left to expire', weight: 1, run: leave },
];

async function create(visit: Visit, ms: number): Promise<string> {
  const { task } = await visit.request('tools/call', { name: 'work', arguments: { ms }, task: {} });
  return (task as { taskId: string }).taskId;
}

async function follow(visit: Visit): Promise<void> {
  const taskId = await create(visit, POLL_MS);
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    const { status } = await visit.request('tasks/get', { taskId });
    if (status === 'completed') return;
    assertSame(status, 'working');
    await delay(POLL_MS);
  }
  throw new Error('Waited too long for a task');
}

async function awaitResult(visit: Visit): Promise<void> {
  const taskId = await create(visit, 50);
  assertSame(textOf(await visit.request('tasks/result', { taskId })), 'worked 50');
}

async function cancel(visit: Visit): Promise<void> {
  const taskId = await create(visit, FOREVER_MS);
  const { status } = await visit.request('tasks/cancel', { taskId });
  assertSame(status, 'cancelled');
}

async function leave(visit: Visit): Promise<void> {
  await create(visit, Math.random() < 0.2 ? FOREVER_MS : 10);
}
