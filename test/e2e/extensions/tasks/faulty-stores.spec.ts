import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TaskQueue, TaskRecord } from 'nestjs-mcp';
import type { Message } from '../../../support/clients/message.js';
import { FileTaskStore } from '../../../support/programs/file-task-store.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import { TemporaryDirectory } from '../../../support/programs/task-program.js';
import {
  coreClient,
  publishedClient,
  textOfTask,
  type TaskClient,
} from '../../../support/clients/task-wires.js';
import { until, within } from '../../../support/until.js';

/** Fails when it is told to. */
class FaultyStore extends FileTaskStore {
  /** Says which calls fail, by what they do, how many there were before and the version that they write. */
  fails: (operation: string, count: number, version: string) => boolean = () => false;
  readonly counts = new Map<string, number>();

  override create(record: TaskRecord): Promise<void> {
    return this.#attempt('create', () => super.create(record));
  }

  override find(taskId: string): Promise<TaskRecord | undefined> {
    return this.#attempt('find', () => super.find(taskId));
  }

  override replace(record: TaskRecord): Promise<boolean> {
    const version = `${record.taskId} ${record.version}`;
    return this.#attempt('replace', () => super.replace(record), version);
  }

  override listOpen(): Promise<readonly TaskRecord[]> {
    return this.#attempt('listOpen', () => super.listOpen());
  }

  async #attempt<Value>(operation: string, act: () => Promise<Value>, version = ''): Promise<Value> {
    const count = this.counts.get(operation) ?? 0;
    this.counts.set(operation, count + 1);
    if (this.fails(operation, count, version)) throw new Error('secret-dsn is down');
    return act();
  }
}

describe('Tasks in a store that fails', () => {
  const log = new RecordedLog();
  let directory: TemporaryDirectory;
  let store: FaultyStore;
  let desk: TaskDesk;

  beforeEach(async () => {
    directory = new TemporaryDirectory();
    store = new FaultyStore(directory.path);
    desk = await bootTaskDesk({ tasks: { store, workerTimeoutMs: 300 } }, { nest: { logger: log } });
  });

  afterEach(async () => {
    store.fails = () => false;
    await desk.close();
    directory.remove();
  });

  it('end as they should where each change fails the first time (TASK-02)', async () => {
    const client = publishedClient(desk.url);
    const failed = new Set<string>();
    store.fails = (operation, _count, version) => {
      const isFailure = operation === 'replace' && !failed.has(version);
      if (isFailure) failed.add(version);
      return isFailure;
    };
    const created = await Promise.all([
      ...Array.from({ length: 20 }, () => client.create('refuse')),
      ...Array.from({ length: 20 }, () => client.create('count', { name: 'four' })),
    ]);
    for (const { taskId } of created) {
      expect(await client.reach(taskId)).toMatchObject({ status: 'completed' });
    }
    expect(failed.size).toBe(created.length);
  });

  it('are not created where that fails, and their client is told no more than that (TASK-01)', async () => {
    const client = publishedClient(desk.url);
    store.fails = (operation) => operation === 'create';
    const { result, error } = await client.call('wait', { name: 'never' });
    expect(result?.['taskId']).toBeUndefined();
    expect(JSON.stringify(result ?? error)).not.toContain('secret-dsn');
    expect(log.text).toContain('secret-dsn');
    store.fails = () => false;
    expect(await store.all()).toHaveLength(0);
    expect(desk.tools.calls.has('never')).toBe(false);
  });

  it('are ended with a reason where what came of them could never be stored (TASK-02)', async () => {
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('wait', { name: 'unstored' });
    await desk.tools.gates.at('unstored').reached();
    // The outcome is tried five times, then it is given up.
    const begun = store.counts.get('replace') ?? 0;
    store.fails = (operation, count) => operation === 'replace' && count < begun + 5;
    desk.tools.gates.at('unstored').open();
    const ended = await until(
      async () => {
        const task = await client.get(taskId);
        return task['status'] !== 'working' && task;
      },
      'the end',
      14_000,
    );
    expect(ended).toMatchObject({
      status: 'failed',
      error: { message: 'The task result could not be stored' },
    });
    expect(log.find('error', 'A task result could not be stored').length).toBeGreaterThan(0);
  }, 20_000);

  it('answer an error while they cannot be read, which tells nothing, and themselves again (TASK-01)', async () => {
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('refuse');
    await client.reach(taskId);
    store.fails = (operation) => operation === 'find';
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const { error } = await client.send(method, { taskId, inputResponses: {} });
      expect(error).toEqual({ code: -32603, message: expect.not.stringContaining('secret-dsn') });
    }
    store.fails = () => false;
    expect(textOfTask(await client.get(taskId))).toBe('There is no paper');
  });

  it('say in the log that an answer could not be stored, and are asked of the next who waits (TASK-04)', async () => {
    const client = await coreClient(desk.url);
    const { taskId } = await client.create('ask');
    const first = await client.start('tasks/result', { taskId }).stream();
    const isQuestion = ({ id, method }: Message): boolean => id !== undefined && method !== undefined;
    const { id } = await first.nextMessage(isQuestion);
    store.fails = (operation) => operation === 'replace';
    const result = { action: 'accept', content: { word: 'quire' } };
    await client.session.post({ jsonrpc: '2.0', id, result });
    const line = 'The response from a client could not be stored';
    const [logged] = await until(
      () => log.find('error', line).length > 0 && log.find('error', line),
      'the log entry',
    );
    expect(logged).toContain('secret-dsn is down');
    expect(logged).not.toContain('quire');
    store.fails = () => false;
    const second = await client.start('tasks/result', { taskId }).stream();
    const question = await second.nextMessage(isQuestion);
    await client.session.post({ jsonrpc: '2.0', id: question.id, result });
    expect((await second.nextMessage((message) => message.result !== undefined)).result).toMatchObject({
      content: [{ text: 'The word is quire' }],
    });
  });

  it('are swept all the same when the store is back (TASK-02)', async () => {
    const client = publishedClient(desk.url);
    store.fails = (operation, count) => operation === 'listOpen' && count % 2 === 0;
    const { taskId } = await client.create('hang', { name: 'swept' });
    expect(await client.reach(taskId)).toMatchObject({ status: 'failed' });
    await until(() => log.find('error', 'Expired or orphaned tasks').length > 0, 'the log entry');
  });
});

describe('Tasks that a store loses', () => {
  let directory: TemporaryDirectory;
  let desk: TaskDesk;

  beforeEach(() => {
    directory = new TemporaryDirectory();
  });

  afterEach(async () => {
    await desk.close();
    directory.remove();
  });

  async function boot(queue?: TaskQueue): Promise<void> {
    const store = new FileTaskStore(directory.path);
    const tasks = { store, workerTimeoutMs: 300, maxTasks: 1, ...(queue && { queue }) };
    desk = await bootTaskDesk({ tasks });
  }

  const lose = (taskId: unknown) => rm(join(directory.path, 'tasks', String(taskId)), { recursive: true });

  /** Waits until another task may begin. */
  const expectRoom = (client: TaskClient) =>
    until(async () => (await client.call('wait', { name: 'next' })).error === undefined, 'room for a task');

  it('count as under way until their handlers are done, and no longer (TASK-02)', async () => {
    await boot();
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('wait', { name: 'lost' });
    await desk.tools.gates.at('lost').reached();
    await lose(taskId);
    expect((await client.call('wait', { name: 'next' })).error?.code).toBe(-32603);
    desk.tools.gates.at('lost').open();
    await expectRoom(client);
  });

  it('end with their time to live (TASK-02)', async () => {
    await boot();
    const client = await coreClient(desk.url, { task: { ttl: 2000 } });
    const { taskId } = await client.create('wait', { name: 'lost' });
    await desk.tools.gates.at('lost').reached();
    await lose(taskId);
    await until(() => desk.tools.aborted.has('lost'), 'the end of the handler');
    await expectRoom(client);
  });

  it('count no longer where another process was to run them (TASK-02)', async () => {
    await boot({ isDurable: true, start: () => undefined, add: () => undefined, stop: () => undefined });
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('wait', { name: 'lost' });
    expect((await client.call('wait', { name: 'next' })).error?.code).toBe(-32603);
    await lose(taskId);
    await expectRoom(client);
  });
});

describe('Tasks of a queue that fails', () => {
  it('fail at once, and their client hears of an error (TASK-02)', async () => {
    const queue: TaskQueue = {
      start: () => undefined,
      add: () => Promise.reject(new Error('secret-broker is down')),
      stop: () => undefined,
    };
    const desk = await bootTaskDesk({ tasks: { queue } });
    const ended: TaskRecord[] = [];
    desk.tasks.changes$.subscribe((record) => void (record.status === 'failed' && ended.push(record)));
    const { result, error } = await publishedClient(desk.url).call('refuse');
    expect(JSON.stringify(result ?? error)).not.toContain('secret-broker');
    expect(result?.['taskId']).toBeUndefined();
    expect(ended).toMatchObject([{ error: { message: 'The task could not be queued' } }]);
    await desk.close();
  });

  it('run once though it gives them twice, and not where it gives what there is not (TASK-02)', async () => {
    const given: Promise<void>[] = [];
    let run: (taskId: string) => Promise<void> = () => Promise.resolve();
    const queue: TaskQueue = {
      start: (runTask) => void (run = runTask),
      add: (taskId) => void given.push(run(taskId), run(taskId), run('nothing')),
      stop: () => undefined,
    };
    const desk = await bootTaskDesk({ tasks: { queue } });
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('wait', { name: 'twice' });
    desk.tools.gates.at('twice').open();
    await client.reach(taskId);
    await run(String(taskId));
    await Promise.all(given);
    expect(desk.tools.calls.get('twice')).toBe(1);
    await desk.close();
  });

  it('do not keep the server from shutting down where it never stops (MOD-12)', async () => {
    const log = new RecordedLog();
    const queue: TaskQueue = {
      start: () => undefined,
      add: () => undefined,
      stop: () => new Promise(() => undefined),
    };
    const desk = await bootTaskDesk({ tasks: { queue, closeTimeoutMs: 50 } }, { nest: { logger: log } });
    await publishedClient(desk.url).create('refuse');
    await within(desk.close(), 'the end of the application');
    expect(log.find('warn')).toEqual([
      expect.stringContaining('The task queue or store did not close within 50 ms'),
    ]);
  });

  it('do not keep the server from shutting down where it cannot be stopped (MOD-12)', async () => {
    const log = new RecordedLog();
    const queue: TaskQueue = {
      start: () => undefined,
      add: () => undefined,
      stop: () => {
        throw new Error('the broker is gone');
      },
    };
    const desk = await bootTaskDesk({ tasks: { queue } }, { nest: { logger: log } });
    const { taskId } = await publishedClient(desk.url).create('refuse');
    const ended: TaskRecord[] = [];
    desk.tasks.changes$.subscribe((record) => void ended.push(record));
    await within(desk.close(), 'the end of the application');
    expect(ended).toMatchObject([{ taskId, error: { message: 'The server was shut down' } }]);
    expect(log.find('error', 'The task queue could not be stopped')).toHaveLength(1);
  });
});
