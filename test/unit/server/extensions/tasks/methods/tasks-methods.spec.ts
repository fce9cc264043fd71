import { describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../../../support/catalog.js';
import { ToolRegistry } from '../../../../../../lib/server/catalog/registries.js';
import { NO_AUTH } from '../../../../../../lib/server/context/request-auth.js';
import type { ExtensionContext } from '../../../../../../lib/server/dispatch/extension.interface.js';
import { MemoryTaskStore } from '../../../../../../lib/server/extensions/tasks/ledger/memory-task-store.js';
import {
  CallerTasks,
  TaskAccess,
} from '../../../../../../lib/server/extensions/tasks/ledger/caller-tasks.js';
import { askInput, giveInput } from '../../../../../../lib/server/extensions/tasks/ledger/task-changes.js';
import { TaskLedger } from '../../../../../../lib/server/extensions/tasks/ledger/task-ledger.js';
import {
  InputRequestTurns,
  TaskInputRequests,
} from '../../../../../../lib/server/extensions/tasks/methods/task-input-requests.js';
import { LocalBus } from '../../../../../../lib/server/cluster/local-bus.js';
import { TaskResults } from '../../../../../../lib/server/extensions/tasks/methods/tasks-methods.js';
import { TASKS } from '../../../../../../lib/server/settings/extensions/tasks-options.js';
import { Gate } from '../../../../../support/applications/gate.js';
import { until, within } from '../../../../../support/until.js';
import { buildRecord, QUESTION } from '../build-record.js';

/** A store that takes its time to look. */
class SlowStore extends MemoryTaskStore {
  gate: Gate | undefined;

  override async find(taskId: string) {
    await this.gate?.pass();
    return super.find(taskId);
  }
}

/** Somebody who waits for a task, and does with its questions what the test says. */
function createWaiter(request: ExtensionContext['request'] = () => new Promise(() => undefined)) {
  const stop = new AbortController();
  const asked: unknown[] = [];
  const context = {
    params: { taskId: 'task-1' },
    identity: undefined,
    auth: NO_AUTH,
    signal: stop.signal,
    request: (question: Parameters<typeof request>[0]) => {
      asked.push(question);
      return request(question);
    },
  } as unknown as ExtensionContext;
  return { context, asked, leave: () => stop.abort() };
}

async function setUp() {
  const store = new SlowStore();
  const ledger = new TaskLedger(TASKS.build({ store }));
  await ledger.create(buildRecord());
  const access = new TaskAccess(new ToolRegistry());
  const tasks = new CallerTasks(ledger, access, new TestCatalog().visibility);
  const results = new TaskResults(
    ledger,
    tasks,
    new TaskInputRequests(ledger, access, new InputRequestTurns(new LocalBus(), ledger)),
  );
  return { store, ledger, results };
}

describe('TaskResults', () => {
  it('wait for nobody who gave up while the task was looked up (TASK-04) (CANC-01)', async () => {
    const { store, ledger, results } = await setUp();
    store.gate = new Gate();
    const { context, asked, leave } = createWaiter();
    const waiting = results.wait(context);
    await store.gate.reached();
    leave();
    store.gate.open();
    await expect(within(waiting, 'the end of the wait')).rejects.toThrow('aborted');
    await ledger.change('task-1', askInput('question', QUESTION));
    expect(asked).toEqual([]);
  });

  it('ask whoever can be asked where the first cannot (TASK-04)', async () => {
    const { ledger, results } = await setUp();
    const able = createWaiter(() => Promise.resolve({ action: 'decline' }));
    const unable = createWaiter(() => Promise.reject(new Error('The client cannot be asked')));
    for (const { context } of [able, unable]) results.wait(context).catch(() => undefined);
    await ledger.change('task-1', askInput('question', QUESTION));
    const answered = async () => (await ledger.find('task-1'))?.inputResponses['question'];
    expect(await until(answered, 'an answer')).toEqual({ action: 'decline' });
    expect([unable.asked.length, able.asked.length]).toEqual([1, 1]);
  });

  it('ask nobody else what was answered elsewhere meanwhile (TASK-04)', async () => {
    const { ledger, results } = await setUp();
    const other = createWaiter();
    const asked = createWaiter(async () => {
      await ledger.change('task-1', giveInput({ question: { action: 'decline' } }));
      throw new Error('The client is gone');
    });
    for (const { context } of [other, asked]) results.wait(context).catch(() => undefined);
    await ledger.change('task-1', askInput('question', QUESTION));
    await until(() => asked.asked.length === 1, 'a question');
    await until(async () => (await ledger.find('task-1'))?.status === 'working', 'the answer');
    await new Promise((resolve) => setImmediate(resolve));
    expect(other.asked).toEqual([]);
  });

  it('leave a question that nobody answers to whoever waits next (TASK-04)', async () => {
    const { ledger, results } = await setUp();
    const unable = createWaiter(() => Promise.reject(new Error('The client cannot be asked')));
    results.wait(unable.context).catch(() => undefined);
    await ledger.change('task-1', askInput('question', QUESTION));
    await until(() => unable.asked.length === 1, 'a question');
    const next = createWaiter();
    results.wait(next.context).catch(() => undefined);
    expect(await until(() => next.asked.length === 1, 'the question once more')).toBe(true);
  });
});
