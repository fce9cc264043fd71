import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryTaskStore } from '../../../../../../lib/server/extensions/tasks/ledger/memory-task-store.js';
import {
  cancel,
  setStatusMessage,
} from '../../../../../../lib/server/extensions/tasks/ledger/task-changes.js';
import { TaskLedger } from '../../../../../../lib/server/extensions/tasks/ledger/task-ledger.js';
import type {
  TaskRecord,
  TaskStore,
} from '../../../../../../lib/server/settings/extensions/task-store.interface.js';
import { TASKS } from '../../../../../../lib/server/settings/extensions/tasks-options.js';
import { buildRecord } from '../build-record.js';

/** A store that another process uses as well. */
class SharedStore extends MemoryTaskStore implements TaskStore {
  /** What the other process does between a look and the change that follows. */
  meanwhile: (() => Promise<unknown>) | undefined;
  changed: (taskId: string) => void = () => undefined;
  isWatched = false;

  override async replace(record: TaskRecord): Promise<boolean> {
    const other = this.meanwhile;
    this.meanwhile = undefined;
    await other?.();
    return super.replace(record);
  }

  /** Changes a task as another process. */
  async intrude(taskId: string, members: Partial<TaskRecord>): Promise<void> {
    const record = (await this.find(taskId)) as TaskRecord;
    await super.replace({ ...record, ...members, version: record.version + 1 });
  }

  watch(changed: (taskId: string) => void): () => void {
    this.changed = changed;
    this.isWatched = true;
    return () => {
      this.isWatched = false;
    };
  }
}

describe('TaskLedger', () => {
  let store: SharedStore;
  let ledger: TaskLedger;
  let told: TaskRecord[];

  beforeEach(async () => {
    store = new SharedStore();
    ledger = new TaskLedger(TASKS.build({ store }));
    told = [];
    ledger.changes$.subscribe((record) => void told.push(record));
    await ledger.create(buildRecord());
  });

  const versions = () => told.map(({ version }) => version);

  it('tells of a task once it is stored (TASK-01)', async () => {
    const found: Promise<unknown>[] = [];
    ledger.changes$.subscribe(({ taskId, version }) => {
      found.push(store.find(taskId).then((record) => record?.version === version));
    });
    await ledger.change('task-1', setStatusMessage('one'));
    expect(await Promise.all(found)).toEqual([true]);
    expect(versions()).toEqual([1, 2]);
  });

  it('makes changes in turn, each to what the one before left (TASK-02)', async () => {
    const append =
      (text: string) =>
      ({ statusMessage = '' }: TaskRecord) =>
        buildRecord({ version: 0, statusMessage: statusMessage + text });
    const keepVersion = (text: string) => (record: TaskRecord) => ({
      ...record,
      ...append(text)(record),
      version: record.version,
    });
    const results = await Promise.all(
      ['a', 'b', 'c'].map((text) => ledger.change('task-1', keepVersion(text))),
    );
    expect(results.map((record) => record?.statusMessage)).toEqual(['a', 'ab', 'abc']);
    expect(versions()).toEqual([1, 2, 3, 4]);
  });

  it('goes on with the next turn where one fails (TASK-02)', async () => {
    const failing = ledger.change('task-1', () => {
      throw new Error('no');
    });
    const next = ledger.change('task-1', setStatusMessage('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toMatchObject({ statusMessage: 'yes' });
  });

  it('looks again where another process was sooner (TASK-02)', async () => {
    store.meanwhile = () => store.intrude('task-1', { pollIntervalMs: 7 });
    const changed = await ledger.change('task-1', setStatusMessage('mine'));
    expect(changed).toMatchObject({ version: 3, statusMessage: 'mine', pollIntervalMs: 7 });
  });

  it('leaves what another process ended (TASK-02)', async () => {
    store.meanwhile = () => store.intrude('task-1', { status: 'cancelled' });
    expect(await ledger.change('task-1', setStatusMessage('late'))).toMatchObject({ status: 'cancelled' });
    expect(await store.find('task-1')).not.toHaveProperty('statusMessage');
  });

  it('tells of a change that the store took and failed to say so, when it is asked for again (TASK-02)', async () => {
    const { replace } = SharedStore.prototype;
    store.replace = async (record) => {
      store.replace = replace;
      await store.replace(record);
      throw new Error('the connection is lost');
    };
    await expect(ledger.change('task-1', cancel)).rejects.toThrow('is lost');
    expect(versions()).toEqual([1]);
    expect(await ledger.change('task-1', cancel)).toMatchObject({ status: 'cancelled', version: 2 });
    expect(versions()).toEqual([1, 2]);
  });

  it('gives up where others change a task again and again (TASK-02)', async () => {
    store.replace = () => Promise.resolve(false);
    await expect(ledger.change('task-1', cancel)).rejects.toThrow('too many concurrent changes');
  });

  it('changes nothing that is over, or is not there, or stays as it is (TASK-02)', async () => {
    await ledger.change('task-1', cancel);
    expect(await ledger.change('task-1', setStatusMessage('x'))).toMatchObject({
      status: 'cancelled',
      version: 2,
    });
    expect(await ledger.change('other', cancel)).toBeUndefined();
    expect(versions()).toEqual([1, 2]);
  });

  it('tells of what other processes change, each version once and none after a newer (TASK-01)', async () => {
    await store.intrude('task-1', { statusMessage: 'theirs' });
    store.changed('task-1');
    store.changed('task-1');
    store.changed('other');
    await ledger.change('task-1', setStatusMessage('mine'));
    store.changed('task-1');
    await new Promise((resolve) => setImmediate(resolve));
    expect(versions()).toEqual([1, 2, 3]);
  });

  it('ends a task that outlived its time for whoever looks first; one that is over is gone (TASK-02)', async () => {
    await ledger.create(buildRecord({ taskId: 'old', expires: Date.now() - 1 }));
    await ledger.create(buildRecord({ taskId: 'over', status: 'completed', expires: Date.now() - 1 }));
    expect(await ledger.find('old')).toMatchObject({ status: 'failed', version: 2 });
    expect(await ledger.find('old')).toMatchObject({ status: 'failed' });
    expect(await ledger.find('over')).toBeUndefined();
  });

  it('watches no more when the application is shut down (MOD-12)', () => {
    expect(store.isWatched).toBe(true);
    ledger.onApplicationShutdown();
    expect(store.isWatched).toBe(false);
  });
});
