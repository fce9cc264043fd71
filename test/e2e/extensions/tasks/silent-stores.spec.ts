import { afterEach, describe, expect, it } from '@jest/globals';
import type { McpOptions, TaskRecord } from 'nestjs-mcp';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import { initialize } from '../../../support/clients/json-rpc.js';
import { coreClient, publishedClient } from '../../../support/clients/task-wires.js';
import { until } from '../../../support/until.js';
import { FileTaskStore } from '../../../support/programs/file-task-store.js';
import { TemporaryDirectory } from '../../../support/programs/task-program.js';

/** What the store answers takes far less, on a machine that does much else too. */
const LIMIT_MS = 1500;

/** Answers nothing of what it is told to be silent about. */
class SilentStore extends FileTaskStore {
  readonly silent = new Set<string>();
  /** Tasks that were found, or not. */
  looks = 0;

  override create(record: TaskRecord): Promise<void> {
    return this.#answer('create', () => super.create(record));
  }

  override find(taskId: string): Promise<TaskRecord | undefined> {
    return this.#answer('find', () => super.find(taskId).finally(() => (this.looks += 1)));
  }

  override replace(record: TaskRecord): Promise<boolean> {
    return this.#answer('replace', () => super.replace(record));
  }

  override list(selection: Parameters<FileTaskStore['list']>[0]): Promise<readonly TaskRecord[]> {
    return this.#answer('list', () => super.list(selection));
  }

  #answer<Value>(operation: string, act: () => Promise<Value>): Promise<Value> {
    return this.silent.has(operation) ? new Promise(() => undefined) : act();
  }
}

describe.each<[string, Partial<McpOptions>, object]>([
  ['callTimeoutMs', { callTimeoutMs: LIMIT_MS }, {}],
  ['tasks.storeTimeoutMs', {}, { storeTimeoutMs: LIMIT_MS }],
])('A store of tasks that never answers, with "%s"', (_, options, tasks) => {
  let directory: TemporaryDirectory;
  let desk: TaskDesk;

  afterEach(async () => {
    await desk.close();
    directory.remove();
  });

  async function boot(): Promise<SilentStore> {
    directory = new TemporaryDirectory();
    const store = new SilentStore(directory.path);
    desk = await bootTaskDesk({ tasks: { store, closeTimeoutMs: 100, ...tasks }, ...options });
    return store;
  }

  const IN_TIME = expect.objectContaining({ code: -32603 });

  it('is not waited for by methods of tasks, and what comes after it is served (FAIR-05)', async () => {
    const store = await boot();
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('wait', { name: 'long' });
    await desk.tools.gates.at('long').reached();
    store.silent.add('find');
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      expect([method, (await client.send(method, { taskId, inputResponses: {} })).error]).toEqual([
        method,
        IN_TIME,
      ]);
    }
    const session = await initialize(desk.url);
    expect((await session.request('ping')).result).toEqual({});

    store.silent.clear();
    expect(await client.get(taskId)).toMatchObject({ status: 'working' });
    desk.tools.gates.at('long').open();
    expect(await client.reach(taskId)).toMatchObject({ status: 'completed' });
  });

  it('is not waited for by lists and results, which wait for tasks as long as they must (FAIR-05)', async () => {
    const store = await boot();
    const client = await coreClient(desk.url);
    const { taskId } = await client.create('wait', { name: 'long' });
    await desk.tools.gates.at('long').reached();
    const before = store.looks;
    const result = client.send('tasks/result', { taskId });
    await until(() => store.looks === before + 2, 'a client that waits for the end of the task');
    store.silent.add('list').add('find');
    for (const method of ['tasks/list', 'tasks/result']) {
      expect([method, (await client.send(method, { taskId })).error]).toEqual([method, IN_TIME]);
    }
    store.silent.clear();
    desk.tools.gates.at('long').open();
    expect((await result).result).toMatchObject({ content: [{ text: 'long is done' }] });
  });

  it('is not waited for by a call that is to become a task (FAIR-05)', async () => {
    const store = await boot();
    store.silent.add('create');
    const client = publishedClient(desk.url);
    const { error, result } = await client.call('wait', { name: 'never' });
    expect(error ?? result).toMatchObject(error === undefined ? { isError: true } : { code: -32603 });
    store.silent.clear();
    const { taskId } = await client.create('wait', { name: 'next' });
    desk.tools.gates.at('next').open();
    expect(await client.reach(taskId)).toMatchObject({ status: 'completed' });
  });
});
