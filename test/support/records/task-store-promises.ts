import { expect, it } from '@jest/globals';
import type { TaskRecord, TaskStore } from 'nestjs-mcp';
import { buildRecord } from '../../unit/server/extensions/tasks/build-record.js';

/** Gives the names of tasks. */
export function idsOf(records: readonly TaskRecord[]): readonly string[] {
  return records.map(({ taskId }) => taskId);
}

/**
 * Tries what every store of tasks promises.
 *
 * @param clauses what titles name besides the clauses of tasks
 */
export function tryTaskStore(getStore: () => TaskStore, clauses = ''): void {
  const create = (taskId: string, members: Partial<TaskRecord> = {}) =>
    getStore().create(buildRecord({ taskId, ...members }));

  it(`replaces a task of the version before alone${clauses} (TASK-02)`, async () => {
    const store = getStore();
    await create('a');
    const next = buildRecord({ taskId: 'a', version: 2, statusMessage: 'first' });
    expect(await store.replace(next)).toBe(true);
    expect(await store.replace({ ...next, statusMessage: 'second' })).toBe(false);
    expect(await store.replace({ ...next, version: 4 })).toBe(false);
    expect(await store.replace({ ...next, taskId: 'b' })).toBe(false);
    expect(await store.find('a')).toMatchObject({ version: 2, statusMessage: 'first' });
    expect(await store.find('b')).toBeUndefined();
  });

  it(`lists the tasks of an owner, and of a session where there is none${clauses} (TASK-07)`, async () => {
    const store = getStore();
    await create('a', { owner: 'ada' });
    await create('b', { owner: 'bob', sessionId: 's' });
    await create('c', { sessionId: 's' });
    await create('d', { sessionId: 't' });
    await create('e');
    expect(idsOf(await store.list({ owner: 'ada', sessionId: 's', limit: 9 }))).toEqual(['a']);
    expect(idsOf(await store.list({ sessionId: 's', limit: 9 }))).toEqual(['c']);
    expect(idsOf(await store.list({ owner: 'eve', limit: 9 }))).toEqual([]);
  });

  it(`lists no tasks of the same caller by another key${clauses} (TASK-07)`, async () => {
    const store = getStore();
    for (const n of [1, 2, 3]) await create(`other-${n}`, { owner: 'ada~one' });
    for (const n of [1, 2, 3]) await create(`own-${n}`, { owner: 'ada~two' });
    await create('plain', { owner: 'ada' });
    const list = async (owner: string, limit: number) => idsOf(await store.list({ owner, limit }));
    expect(await list('ada~two', 9)).toEqual(['own-1', 'own-2', 'own-3']);
    expect(await list('ada~two', 2)).toEqual(['own-1', 'own-2']);
    expect(await list('ada', 1)).toEqual(['plain']);
  });

  it(`lists by pages in the order of creation, also behind a task that is gone${clauses} (TASK-04)`, async () => {
    const second = '2026-07-28T10:00:01.000Z';
    await create('c', { owner: 'ada', createdAt: second });
    await create('b', { owner: 'ada', createdAt: second });
    await create('z', { owner: 'ada' });
    const list = (after?: TaskRecord) =>
      getStore().list({
        owner: 'ada',
        limit: 2,
        ...(after && { after: { createdAt: after.createdAt, taskId: after.taskId } }),
      });
    expect(idsOf(await list())).toEqual(['z', 'b']);
    expect(idsOf(await list(buildRecord({ taskId: 'b', createdAt: second })))).toEqual(['c']);
    expect(idsOf(await list(buildRecord({ taskId: 'bb', createdAt: second })))).toEqual(['c']);
    expect(idsOf(await list(buildRecord({ taskId: 'c', createdAt: second })))).toEqual([]);
  });
}
