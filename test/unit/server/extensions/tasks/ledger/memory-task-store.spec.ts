import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryTaskStore } from '../../../../../../lib/server/extensions/tasks/ledger/memory-task-store.js';
import type { TaskRecord } from '../../../../../../lib/server/settings/extensions/task-store.interface.js';
import { MemoryBudget } from '../../../../../../lib/server/memory/memory-budget.js';
import { idsOf, tryTaskStore } from '../../../../../support/records/task-store-promises.js';
import { buildSettings } from '../../../../support/settings.js';
import { buildRecord } from '../build-record.js';

describe('MemoryTaskStore', () => {
  let store: MemoryTaskStore;

  beforeEach(() => {
    store = new MemoryTaskStore({ all: 3 });
  });

  const create = async (taskId: string, members: Partial<TaskRecord> = {}) =>
    store.create(buildRecord({ taskId, ...members }));

  tryTaskStore(() => store);

  it('gives results up for others who need the memory, those of whoever has most first (FAIR-02)', async () => {
    const memory = new MemoryBudget(buildSettings({ memory: { maxBytes: 100_000 } }));
    const bounded = new MemoryTaskStore({}, memory);
    const result = { content: [{ type: 'text', text: 'x'.repeat(10_000) }] };
    for (const taskId of ['a', 'b', 'c', 'd', 'e', 'f'])
      await bounded.create(buildRecord({ taskId, sessionId: 's', status: 'completed', result }));
    await bounded.create(buildRecord({ taskId: 'ada', owner: 'ada', status: 'completed', result }));
    const holds = Array.from({ length: 100 }, () => memory.hold({ address: '192.0.2.1' }, 350));
    expect(holds).toHaveLength(100);
    expect(await bounded.find('a')).toBeUndefined();
    expect(await bounded.find('ada')).toBeDefined();
    memory.onApplicationShutdown();
  });

  it('knows which tasks are not over (TASK-02)', async () => {
    await create('a');
    await create('b', { status: 'input_required' });
    await create('c', { status: 'failed' });
    expect(idsOf(await store.listOpen())).toEqual(['a', 'b']);
  });

  it('removes what has expired (TASK-02)', async () => {
    await create('a', { expires: 10 });
    await create('b', { expires: 11 });
    await store.removeExpired(11);
    expect([await store.find('a'), (await store.find('b'))?.taskId]).toEqual([undefined, 'b']);
  });

  it('keeps so many that are over, the newest, and all that are not (TASK-02)', async () => {
    for (const taskId of ['a', 'b', 'c', 'd']) await create(taskId);
    for (const taskId of ['d', 'a', 'b', 'c']) {
      await store.replace(buildRecord({ taskId, version: 2, status: 'completed' }));
    }
    await create('e');
    const kept = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((taskId) => store.find(taskId)));
    expect(kept.map((record) => record !== undefined)).toEqual([true, true, true, false, true]);
  });
});

describe('The tasks of several owners that are over', () => {
  const finish = async (store: MemoryTaskStore, taskId: string, members: Partial<TaskRecord>) =>
    store.create(buildRecord({ taskId, status: 'completed', ...members }));
  const kept = async (store: MemoryTaskStore, ...taskIds: readonly string[]) =>
    (await Promise.all(taskIds.map((taskId) => store.find(taskId)))).map((record) => record !== undefined);

  it('make room at the cost of whoever has most, the oldest first (FAIR-03) (TASK-02)', async () => {
    const store = new MemoryTaskStore({ all: 4 });
    await finish(store, 'bob-1', { owner: 'bob' });
    for (const n of [1, 2, 3, 4, 5]) await finish(store, `ada-${n}`, { owner: 'ada' });
    expect(await kept(store, 'bob-1', 'ada-1', 'ada-2', 'ada-3', 'ada-4', 'ada-5')).toEqual([
      true,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('are so many of each owner, whoever else has none (FAIR-03) (TASK-02)', async () => {
    const store = new MemoryTaskStore({ all: 10, perCaller: 2 });
    for (const n of [1, 2, 3]) await finish(store, `ada-${n}`, { owner: 'ada' });
    for (const n of [1, 2, 3]) await finish(store, `x-${n}`, { sessionId: 's' });
    expect(await kept(store, 'ada-1', 'ada-2', 'ada-3')).toEqual([false, true, true]);
    expect(await kept(store, 'x-1', 'x-2', 'x-3')).toEqual([true, true, true]);
  });

  it('are so many of each owner, however many keys that has (FAIR-03) (XTN-03)', async () => {
    const store = new MemoryTaskStore({ all: 10, perCaller: 2 });
    for (const n of [1, 2, 3, 4]) await finish(store, `ada-${n}`, { owner: `ada~key-${n}` });
    await finish(store, 'bob', { owner: 'bob~key' });
    expect(await kept(store, 'ada-1', 'ada-2', 'ada-3', 'ada-4', 'bob')).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('leave to others what the keys of one owner would take together (FAIR-03) (XTN-03)', async () => {
    const store = new MemoryTaskStore({ all: 4 });
    for (const n of [1, 2]) await finish(store, `bob-${n}`, { owner: 'bob' });
    for (const n of [1, 2, 3, 4]) await finish(store, `ada-${n}`, { owner: `ada~key-${n}` });
    expect(await kept(store, 'bob-1', 'bob-2', 'ada-1', 'ada-2', 'ada-3', 'ada-4')).toEqual([
      true,
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  it('count together where nobody is known, and there for each session (FAIR-03) (TASK-02)', async () => {
    const store = new MemoryTaskStore({ all: 5 });
    for (const n of [1, 2]) await finish(store, `ada-${n}`, { owner: 'ada' });
    await finish(store, 'x', { sessionId: 'one' });
    for (const n of [1, 2, 3]) await finish(store, `y-${n}`, { sessionId: 'other' });
    expect(await kept(store, 'ada-1', 'ada-2', 'x', 'y-1', 'y-2', 'y-3')).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  it('are so many of the strangers at each address, by however many sessions (FAIR-03) (TASK-02)', async () => {
    const store = new MemoryTaskStore({ all: 4, perCaller: 2 });
    const end = async (taskId: string, address: string, sessionId: string): Promise<void> => {
      await store.create(buildRecord({ taskId, sessionId }), address);
      await store.replace(buildRecord({ taskId, sessionId, version: 2, status: 'completed' }));
    };
    await end('b-1', '192.0.2.2', 's');
    for (const n of [1, 2, 3, 4]) await end(`a-${n}`, '192.0.2.1', `s-${n}`);
    expect(await kept(store, 'b-1', 'a-1', 'a-2', 'a-3', 'a-4')).toEqual([true, false, false, true, true]);
  });

  it('take memory of the address of a stranger, and make room there (FAIR-02) (FAIR-03)', async () => {
    const bounds = { maxBytes: 200_000, maxBytesPerAddress: 30_000 };
    const memory = new MemoryBudget(buildSettings({ memory: bounds }));
    const store = new MemoryTaskStore({}, memory);
    const result = { content: [{ type: 'text', text: 'x'.repeat(10_000) }] };
    const end = (taskId: string, address?: string) =>
      store.create(buildRecord({ taskId, status: 'completed', result }), address);
    await end('nobody');
    await end('b-1', '192.0.2.2');
    for (const n of [1, 2, 3]) await end(`a-${n}`, '192.0.2.1');
    expect(await kept(store, 'nobody', 'b-1', 'a-1', 'a-2', 'a-3')).toEqual([true, true, false, true, true]);
    await store.removeExpired(Infinity);
    expect([memory.used, memory.callers]).toEqual([0, 0]);
    memory.onApplicationShutdown();
  });

  it('are forgotten with their records, and counted once each (FAIR-03) (TASK-02)', async () => {
    const store = new MemoryTaskStore({ all: 2 });
    await finish(store, 'a', { owner: 'ada', expires: 1 });
    await finish(store, 'a', { owner: 'ada', expires: 1 });
    await store.removeExpired(2);
    await finish(store, 'b', { owner: 'ada' });
    await finish(store, 'c', { owner: 'ada' });
    expect(await kept(store, 'a', 'b', 'c')).toEqual([false, true, true]);
  });
});
