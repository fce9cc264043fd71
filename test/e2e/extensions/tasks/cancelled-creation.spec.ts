import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TaskQueue, TaskRecord } from 'nestjs-mcp';
import { MemoryTaskStore } from '../../../../lib/server/extensions/tasks/ledger/memory-task-store.js';
import { Gate } from '../../../support/applications/gate.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import type { Call } from '../../../support/clients/call.js';
import { coreClient, publishedClient, serviceClient } from '../../../support/clients/task-wires.js';
import { until } from '../../../support/until.js';

/** Takes its time to begin a task, as a store over a network may. */
class SlowTaskStore extends MemoryTaskStore {
  readonly door = new Gate();
  taskId = '';

  override async create(record: TaskRecord): Promise<void> {
    this.taskId = record.taskId;
    await this.door.pass();
    await super.create(record);
  }
}

/** Takes its time to take a task, and runs it when the test says so. */
class SlowTaskQueue implements TaskQueue {
  readonly door = new Gate();
  run: (taskId: string) => Promise<void> = () => Promise.resolve();

  start(run: (taskId: string) => Promise<void>): void {
    this.run = run;
  }

  add(): Promise<void> {
    return this.door.pass();
  }

  stop(): void {
    this.door.open();
  }
}

/** Calls a tool that becomes a task; gives what cancels the call, as the server has heard it. */
type Begin = (desk: TaskDesk, name: string) => Promise<() => Promise<unknown>>;

const GIVEN = { arguments: { name: 'gate' } };

const WAYS: readonly (readonly [string, Begin])[] = [
  [
    'by a client that leaves',
    async (desk, name) => {
      const { client } = publishedClient(desk.url);
      return leave(desk, client.start('tools/call', { name, ...GIVEN }));
    },
  ],
  [
    'in a session that declared the extension',
    async (desk, name) => {
      const { session, start } = await serviceClient(desk.url);
      const { id } = start('tools/call', { name, ...GIVEN });
      return () => session.notify('notifications/cancelled', { requestId: id });
    },
  ],
];

function leave(desk: TaskDesk, call: Call): () => Promise<unknown> {
  const server = desk.app.getHttpServer() as Server;
  const count = promisify(server.getConnections.bind(server));
  return async () => {
    call.disconnect();
    await until(async () => (await count()) === 0, 'a client to be gone');
  };
}

describe('A call that is cancelled before its client is told of the task', () => {
  let store: SlowTaskStore;
  let queue: SlowTaskQueue;
  let desk: TaskDesk;

  beforeEach(async () => {
    store = new SlowTaskStore();
    queue = new SlowTaskQueue();
    desk = await bootTaskDesk({ tasks: { store, queue } });
  });

  afterEach(() => desk.close());

  const isOver = () =>
    until(async () => {
      const record = await store.find(store.taskId);
      return record !== undefined && record.status !== 'working' && record;
    }, 'a task that is over');

  it.each(WAYS)('runs nothing where the store takes its time, %s (TASK-02)', async (_way, begin) => {
    const cancel = await begin(desk, 'wait');
    await store.door.reached();
    await cancel();
    store.door.open();
    queue.door.open();
    expect(await isOver()).toMatchObject({ status: 'cancelled' });
    await queue.run(store.taskId);
    expect(desk.tools.calls.get('gate')).toBeUndefined();
  });

  it.each(WAYS)('ends its task where the queue takes its time, %s (TASK-02)', async (_way, begin) => {
    store.door.open();
    const cancel = await begin(desk, 'wait');
    await queue.door.reached();
    const run = queue.run(store.taskId);
    await desk.tools.gates.at('gate').reached();
    await cancel();
    queue.door.open();
    expect(await isOver()).toMatchObject({ status: 'cancelled' });
    await run;
    expect(desk.tools.aborted.get('gate')).toContain('cancelled');
  });

  it.each(WAYS)(
    'goes no further where its handler was to start the task, %s (TASK-02)',
    async (_way, begin) => {
      const cancel = await begin(desk, 'start');
      await store.door.reached();
      await cancel();
      store.door.open();
      expect(await isOver()).toMatchObject({ status: 'cancelled' });
    },
  );

  it('runs nothing either where it asked for the task (TASK-04)', async () => {
    const { session, start } = await coreClient(desk.url);
    const { id } = start('tools/call', { name: 'wait', ...GIVEN, task: {} });
    await store.door.reached();
    await session.notify('notifications/cancelled', { requestId: id });
    store.door.open();
    queue.door.open();
    expect(await isOver()).toMatchObject({ status: 'cancelled' });
    expect(desk.tools.calls.get('gate')).toBeUndefined();
  });
});
