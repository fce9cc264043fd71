import { beforeEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from '../../../../../../lib/server/context/request-context.js';
import type { ExtensionContext } from '../../../../../../lib/server/dispatch/extension.interface.js';
import { MemoryTaskStore } from '../../../../../../lib/server/extensions/tasks/ledger/memory-task-store.js';
import { cancel } from '../../../../../../lib/server/extensions/tasks/ledger/task-changes.js';
import {
  TaskCreation,
  TaskWorker,
} from '../../../../../../lib/server/extensions/tasks/ledger/task-creation.js';
import { TaskLedger } from '../../../../../../lib/server/extensions/tasks/ledger/task-ledger.js';
import type { TaskRecord } from '../../../../../../lib/server/settings/extensions/task-store.interface.js';
import { type TasksOptions, TASKS } from '../../../../../../lib/server/settings/extensions/tasks-options.js';
import { buildAuth } from '../../../../support/caller.js';
import { buildPeer, buildRequest, RecordingChannel } from '../../../../support/requests.js';

const TOO_MANY = 'There are too many unfinished tasks: wait for one to end first';
const DURABLE = { start: () => undefined, add: () => undefined, stop: () => undefined, isDurable: true };

function buildCall(identity?: string, task: object = {}): ExtensionContext {
  return new RequestContext(buildRequest('tools/call', { name: 'run', task }), {
    peer: buildPeer('2025-11-25', identity === undefined ? {} : { identity }),
    channel: new RecordingChannel(),
    auth: buildAuth(),
  });
}

describe('TaskCreation', () => {
  const worker = new TaskWorker();
  let ledger: TaskLedger;
  let creation: TaskCreation;

  function arrange(options: TasksOptions = {}): void {
    const settings = TASKS.build(options);
    ledger = new TaskLedger(settings);
    creation = new TaskCreation(ledger, worker, settings);
  }

  const create = (identity?: string, members = {}): Promise<TaskRecord> =>
    creation.create(buildCall(identity), 'core', members);

  beforeEach(() => arrange());

  it('creates what everybody finds, under a name that nobody guesses (TASK-01)', async () => {
    const [one, other] = [await create('ada'), await create('ada')];
    expect(await ledger.find(one.taskId)).toEqual(one);
    expect(one).toMatchObject({ status: 'working', version: 1, owner: 'ada', worker: worker.id });
    expect(Buffer.from(one.taskId, 'base64url')).toHaveLength(24);
    expect(other.taskId).not.toBe(one.taskId);
  });

  it('takes times from the client, else from the tool, else from the server (TASK-02)', async () => {
    const call = buildCall('ada', { ttl: 5000 });
    expect(await creation.create(call, 'core', { ttlMs: 6000, pollIntervalMs: 7 })).toMatchObject({
      ttlMs: 5000,
      pollIntervalMs: 7,
    });
    expect(await creation.create(call, 'published', { ttlMs: 6000 })).toMatchObject({ ttlMs: 6000 });
    expect(await create('ada')).toMatchObject({ ttlMs: 3_600_000, pollIntervalMs: 1000 });
  });

  it.each([0, -1, 1.5, '5000', null])(
    'passes over the time to live %j of a client (TASK-02)',
    async (ttl) => {
      expect(await creation.create(buildCall('ada', { ttl }), 'core', {})).toMatchObject({
        ttlMs: 3_600_000,
      });
    },
  );

  it('keeps nothing longer than the server allows, whoever asks for it (TASK-02)', async () => {
    arrange({ maxTtlMs: 100 });
    expect(await creation.create(buildCall('ada', { ttl: 5000 }), 'core', {})).toMatchObject({ ttlMs: 100 });
    expect(await create('ada', { ttlMs: 6000 })).toMatchObject({ ttlMs: 100 });
  });

  it('leaves open who runs what waits in a queue that outlives the process (TASK-01)', async () => {
    arrange({ queue: DURABLE });
    expect(await create('ada')).not.toHaveProperty('worker');
    expect(await create('ada', { isLocal: true })).toMatchObject({
      worker: worker.id,
      call: { isLocal: true },
    });
  });

  it('refuses more than may be under way, until one ends (TASK-02)', async () => {
    arrange({ maxTasks: 2 });
    const { taskId } = await create('ada');
    await create('bob');
    await expect(create()).rejects.toThrow(TOO_MANY);
    await ledger.change(taskId, cancel);
    await expect(create()).resolves.toMatchObject({ status: 'working' });
  });

  it('counts for each caller, and not where nobody is known (TASK-02)', async () => {
    arrange({ maxTasksPerCaller: 1 });
    const { taskId } = await create('ada');
    await expect(create('ada')).rejects.toThrow(TOO_MANY);
    await expect(Promise.all([create('bob'), create(), create()])).resolves.toHaveLength(3);
    await ledger.change(taskId, cancel);
    await expect(create('ada')).resolves.toMatchObject({ owner: 'ada' });
  });

  it('does not count what could not be stored (TASK-02)', async () => {
    const store = new MemoryTaskStore();
    arrange({ store, maxTasks: 1 });
    const { create: keep } = store;
    store.create = () => Promise.reject(new Error('the disk is full'));
    await expect(create('ada')).rejects.toThrow('the disk is full');
    store.create = keep;
    await expect(create('ada')).resolves.toMatchObject({ owner: 'ada' });
  });
});
