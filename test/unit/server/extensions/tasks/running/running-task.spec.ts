import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  cancel,
  giveInput,
  withdrawInput,
} from '../../../../../../lib/server/extensions/tasks/ledger/task-changes.js';
import { TaskLedger } from '../../../../../../lib/server/extensions/tasks/ledger/task-ledger.js';
import { RunningTask } from '../../../../../../lib/server/extensions/tasks/running/running-task.js';
import { TASKS } from '../../../../../../lib/server/settings/extensions/tasks-options.js';
import { until } from '../../../../../support/until.js';
import { buildRecord, QUESTION } from '../build-record.js';

describe('RunningTask', () => {
  let ledger: TaskLedger;
  let running: RunningTask;

  beforeEach(async () => {
    ledger = new TaskLedger(TASKS.build({}));
    running = new RunningTask('task-1', ledger);
    ledger.changes$.subscribe((record) => running.observe(record));
    await ledger.create(buildRecord());
  });

  const isAsked = (...keys: readonly string[]) =>
    until(async () => {
      const asked = Object.keys((await ledger.find('task-1'))?.inputRequests ?? {});
      return keys.every((key) => asked.includes(key));
    }, keys.join());

  it('asks, and gives each question its own answer (TASK-01)', async () => {
    const answers = [running.requestInput('a', QUESTION), running.requestInput('b', QUESTION)];
    await isAsked('a', 'b');
    await ledger.change('task-1', giveInput({ b: 2 }));
    await ledger.change('task-1', giveInput({ a: 1 }));
    expect(await Promise.all(answers)).toEqual([1, 2]);
  });

  it('gives again what was answered before the call was run again (TASK-01)', async () => {
    const first = running.requestInput('a', QUESTION);
    await isAsked('a');
    await ledger.change('task-1', giveInput({ a: 1 }));
    await first;
    const again = new RunningTask('task-1', ledger);
    expect(await again.requestInput('a', QUESTION)).toBe(1);
    expect(await ledger.find('task-1')).toMatchObject({ status: 'working', inputRequests: {} });
  });

  it('waits for the answer to what was asked before the call was run again (TASK-01)', async () => {
    void running.requestInput('a', QUESTION).catch(() => undefined);
    await isAsked('a');
    const again = new RunningTask('task-1', ledger);
    ledger.changes$.subscribe((record) => again.observe(record));
    const answer = again.requestInput('a', QUESTION);
    await ledger.find('task-1');
    await ledger.change('task-1', giveInput({ a: 1 }));
    expect(await answer).toBe(1);
  });

  it('hears that a question was refused, and waits for the others (TASK-04)', async () => {
    const answers = [running.requestInput('a', QUESTION), running.requestInput('b', QUESTION)];
    await isAsked('a', 'b');
    await ledger.change('task-1', withdrawInput('a'));
    await expect(answers[0]).rejects.toThrow('The client refused to answer');
    await ledger.change('task-1', giveInput({ b: 2 }));
    expect(await answers[1]).toBe(2);
  });

  it('takes no news that is older than what it knows (TASK-02)', async () => {
    const answer = running.requestInput('a', QUESTION);
    await isAsked('a');
    running.observe(buildRecord({ version: 1 }));
    await ledger.change('task-1', giveInput({ a: 1 }));
    expect(await answer).toBe(1);
  });

  it('gives up what it waits for with the task, and asks nothing more (TASK-02)', async () => {
    const answer = running.requestInput('a', QUESTION);
    await isAsked('a');
    await ledger.change('task-1', cancel);
    await expect(answer).rejects.toThrow('The task is cancelled');
    await expect(running.requestInput('b', QUESTION)).rejects.toThrow('The task has ended');
  });

  it('cancels its call with the task, whichever comes first (TASK-02)', async () => {
    const reasons: string[] = [];
    const call = {
      outcome: Promise.resolve(undefined),
      requiredScopes: [],
      cancel: (reason: string) => void reasons.push(reason),
    };
    running.attach(call);
    expect(reasons).toEqual([]);
    await ledger.change('task-1', cancel);
    expect(reasons).toEqual(['The task is cancelled']);
    running.attach(call);
    expect(reasons).toHaveLength(2);
  });

  it('tells the last of what is told faster than it is stored (TASK-02)', async () => {
    const told: (string | undefined)[] = [];
    ledger.changes$.subscribe(({ statusMessage }) => void told.push(statusMessage));
    for (let count = 1; count <= 100; count += 1) running.setStatusMessage(`step ${count}`);
    await until(() => told.includes('step 100'), 'the last step');
    expect(told.length).toBeLessThan(10);
  });
});
