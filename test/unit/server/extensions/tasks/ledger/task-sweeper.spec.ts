import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ToolRegistry } from '../../../../../../lib/server/catalog/registries.js';
import { ExtensionLink } from '../../../../../../lib/server/extensions/tasks/extension-link.js';
import { MemoryTaskStore } from '../../../../../../lib/server/extensions/tasks/ledger/memory-task-store.js';
import { TaskAccess } from '../../../../../../lib/server/extensions/tasks/ledger/caller-tasks.js';
import {
  TaskCreation,
  TaskWorker,
} from '../../../../../../lib/server/extensions/tasks/ledger/task-creation.js';
import { TaskLedger } from '../../../../../../lib/server/extensions/tasks/ledger/task-ledger.js';
import { TaskSweeper } from '../../../../../../lib/server/extensions/tasks/ledger/task-sweeper.js';
import { TaskNotifier } from '../../../../../../lib/server/extensions/tasks/methods/task-notifications.js';
import { TaskRunner } from '../../../../../../lib/server/extensions/tasks/running/task-runner.js';
import { restoreOrigin } from '../../../../../../lib/server/extensions/tasks/running/task-call.js';
import {
  TaskSigner,
  TaskEncoders,
} from '../../../../../../lib/server/extensions/tasks/encoders/task-encoders.js';
import type {
  TaskWorkers,
  TaskRecord,
  TaskStore,
} from '../../../../../../lib/server/settings/extensions/task-store.interface.js';
import { TASKS } from '../../../../../../lib/server/settings/extensions/tasks-options.js';
import { until } from '../../../../../support/until.js';
import { passTime, stopClocks } from '../../../../support/clocks.js';
import { CapturedLog } from '../../../../support/captured-log.js';
import { buildRecord } from '../build-record.js';

const WORKER_TIMEOUT_MS = 30_000;
const LONG_AGO = '2026-07-28T10:00:00.000Z';

/** Knows processes too, as a store does that several share. */
class SharedStore extends MemoryTaskStore implements TaskStore {
  readonly alive = new Map<string, number>();
  readonly workers: TaskWorkers = {
    renew: async (worker, end) => void this.alive.set(worker, end),
    list: async (now) => [...this.alive].filter(([, end]) => end >= now).map(([worker]) => worker),
  };
}

describe('TaskSweeper', () => {
  const worker = new TaskWorker();
  let log: CapturedLog;
  let store: SharedStore;
  let ledger: TaskLedger;
  let runner: TaskRunner;
  let creation: TaskCreation;
  let sweeper: TaskSweeper;

  beforeEach(() => {
    log = CapturedLog.begin();
    store = new SharedStore();
    const settings = TASKS.build({ store, workerTimeoutMs: WORKER_TIMEOUT_MS });
    const link = new ExtensionLink();
    ledger = new TaskLedger(settings);
    const access = new TaskAccess(new ToolRegistry());
    const teller = new TaskNotifier(ledger, link, new TaskEncoders(new TaskSigner(link)), access);
    creation = new TaskCreation(ledger, worker, settings);
    runner = new TaskRunner({ ledger, worker, creation, access }, link, teller, settings);
    sweeper = new TaskSweeper(ledger, worker, runner, creation, settings);
  });

  afterEach(() => {
    jest.useRealTimers();
    sweeper.onApplicationShutdown();
    log.release();
  });

  async function sweep(members: Partial<TaskRecord>): Promise<TaskRecord | undefined> {
    await store.create(buildRecord(members));
    await sweeper.sweep();
    return store.find('task-1');
  }

  it('ends what runs in a process that is gone (TASK-02)', async () => {
    store.alive.set('gone', Date.now() - 1);
    expect(await sweep({ worker: 'gone' })).toMatchObject({
      status: 'failed',
      error: { message: 'The process that ran the task has ended' },
    });
  });

  it('leaves what runs elsewhere, or waits for whoever takes it (TASK-02)', async () => {
    store.alive.set('elsewhere', Date.now() + 60_000);
    await store.create(buildRecord({ taskId: 'waits', lastUpdatedAt: LONG_AGO }));
    expect(await sweep({ worker: 'elsewhere', lastUpdatedAt: LONG_AGO })).toMatchObject({
      status: 'working',
    });
    expect(await store.find('waits')).toMatchObject({ status: 'working' });
  });

  it('says that its own process lives, for as long as the server allows (TASK-02)', async () => {
    const begun = Date.now();
    await sweep({ worker: worker.id, lastUpdatedAt: new Date().toISOString() });
    expect(store.alive.get(worker.id)).toBeGreaterThanOrEqual(begun + WORKER_TIMEOUT_MS);
    expect(await store.find('task-1')).toMatchObject({ status: 'working' });
  });

  it('ends what took longer than its time to live, and keeps it a while (TASK-02)', async () => {
    const expires = Date.now() - 1;
    expect(await sweep({ expires })).toMatchObject({
      status: 'failed',
      expires: expires + 60_000,
      error: { message: 'The task exceeded its time to live' },
    });
  });

  it('takes nobody for gone who may not have been able to say otherwise, such as after an outage of the store (RELAY-07)', async () => {
    stopClocks();
    await sweeper.sweep();
    passTime(WORKER_TIMEOUT_MS);
    expect(await sweep({ worker: 'silenced', expires: Date.now() + 9 * WORKER_TIMEOUT_MS })).toMatchObject({
      status: 'working',
    });
    for (let third = 1; third <= 3; third += 1) {
      passTime(WORKER_TIMEOUT_MS / 3);
      await sweeper.sweep();
    }
    expect(await store.find('task-1')).toMatchObject({ status: 'failed' });
  });

  it('removes what is over and has expired (TASK-02)', async () => {
    expect(await sweep({ status: 'completed', expires: Date.now() - 1 })).toBeUndefined();
  });

  it('ends what is its own and does not run any more (TASK-02)', async () => {
    expect(await sweep({ worker: worker.id, lastUpdatedAt: LONG_AGO })).toMatchObject({
      status: 'failed',
      error: { message: 'The task result could not be stored' },
    });
  });

  it('leaves what is its own and waits here, however long (TASK-02)', async () => {
    const record = buildRecord({ worker: worker.id, lastUpdatedAt: LONG_AGO });
    const { signal } = new AbortController();
    await runner.add(record, { origin: { ...restoreOrigin(record), signal } });
    expect(await sweep(record)).toMatchObject({ status: 'working' });
  });

  it('ends the others where one cannot be ended, and removes nothing unseen (TASK-02)', async () => {
    await store.create(buildRecord({ taskId: 'stuck', worker: 'gone' }));
    await store.create(buildRecord({ taskId: 'over', status: 'completed', expires: Date.now() - 1 }));
    const { replace } = store;
    store.replace = async (record) =>
      record.taskId === 'stuck' ? Promise.reject(new Error('no')) : replace.call(store, record);
    expect(await sweep({ worker: 'gone' })).toMatchObject({ status: 'failed' });
    expect(await store.find('over')).toMatchObject({ status: 'completed' });
    expect(log.errors).toEqual([expect.stringContaining('1 tasks could not be ended')]);
  });

  it('sweeps at once, and again when the store is back (TASK-02)', async () => {
    const { listOpen } = store;
    let looks = 0;
    store.listOpen = async () => {
      looks += 1;
      return looks === 1 ? Promise.reject(new Error('no')) : listOpen.call(store);
    };
    const often = new TaskSweeper(ledger, worker, runner, creation, TASKS.build({ workerTimeoutMs: 15 }));
    await often.start();
    expect(log.errors).toHaveLength(1);
    await until(() => looks > 2, 'further looks');
    often.onApplicationShutdown();
    expect(log.errors).toHaveLength(1);
  });
});
