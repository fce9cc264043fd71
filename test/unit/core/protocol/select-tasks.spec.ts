import { describe, expect, it } from '@jest/globals';
import { selectTasks, type ListedTask } from '../../../../lib/core/protocol/select-tasks.js';

const NOON = '2026-07-28T12:00:00.000Z';
const LATER = '2026-07-28T12:00:01.000Z';

const TASKS: readonly ListedTask[] = [
  { taskId: 'a', createdAt: LATER, owner: 'ann' },
  { taskId: 'c', createdAt: NOON, owner: 'ann' },
  { taskId: 'b', createdAt: NOON, owner: 'ann' },
  { taskId: 'd', createdAt: NOON, owner: 'bob', sessionId: 's1' },
  { taskId: 'e', createdAt: NOON, sessionId: 's1' },
];

const select = (part: Partial<Parameters<typeof selectTasks>[1]>): string =>
  selectTasks(TASKS, { limit: 10, ...part })
    .map(({ taskId }) => taskId)
    .join(' ');

describe('selectTasks()', () => {
  it('orders the tasks of an owner by creation, and then by id (XTN-03)', () => {
    expect(select({ owner: 'ann' })).toBe('b c a');
  });

  it('gives a session what has no owner (XTN-03)', () => {
    expect(select({ sessionId: 's1' })).toBe('e');
  });

  it('continues after a task that may be gone (XTN-03)', () => {
    expect(select({ owner: 'ann', after: { taskId: 'b', createdAt: NOON } })).toBe('c a');
    expect(select({ owner: 'ann', after: { taskId: 'bb', createdAt: NOON } })).toBe('c a');
  });

  it('gives no more than the limit (XTN-03)', () => {
    expect(select({ owner: 'ann', limit: 2 })).toBe('b c');
  });
});
