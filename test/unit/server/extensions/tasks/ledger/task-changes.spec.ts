import { describe, expect, it } from '@jest/globals';
import {
  askInput,
  cancel,
  complete,
  expire,
  fail,
  giveInput,
  failWith,
  isOver,
  setStatusMessage,
  withdrawInput,
} from '../../../../../../lib/server/extensions/tasks/ledger/task-changes.js';
import type {
  TaskRecord,
  TaskStatus,
} from '../../../../../../lib/server/settings/extensions/task-store.interface.js';
import { buildRecord, QUESTION } from '../build-record.js';

const asking = (...keys: readonly string[]): TaskRecord =>
  buildRecord({
    status: 'input_required',
    inputRequests: Object.fromEntries(keys.map((key) => [key, QUESTION])),
  });

describe('The changes of a task (MCP extension tasks, "Task Status")', () => {
  it.each([
    ['working', false],
    ['input_required', false],
    ['completed', true],
    ['failed', true],
    ['cancelled', true],
  ] satisfies readonly (readonly [TaskStatus, boolean])[])('end it as "%s": %s (TASK-02)', (status, over) => {
    expect(isOver(buildRecord({ status }))).toBe(over);
  });

  it('ask, beside what is asked already (TASK-02)', () => {
    const asked = askInput('b', QUESTION)(asking('a'));
    expect(asked).toMatchObject({ status: 'input_required', inputRequests: { a: QUESTION, b: QUESTION } });
  });

  it('ask nothing twice, whether it is answered or not (TASK-01)', () => {
    expect(askInput('a', QUESTION)(asking('a'))).toBeUndefined();
    expect(askInput('a', QUESTION)(buildRecord({ inputResponses: { a: {} } }))).toBeUndefined();
  });

  it('ask under names that objects have of themselves (TASK-01)', () => {
    const asked = askInput('toString', QUESTION)(buildRecord());
    expect(Object.keys(asked?.inputRequests ?? {})).toEqual(['toString']);
    const proto = askInput('__proto__', QUESTION)(buildRecord());
    expect(Object.keys(proto?.inputRequests ?? {})).toEqual(['__proto__']);
  });

  it('take answers to what is asked, and leave the others (TASK-01)', () => {
    const some = giveInput({ a: 1, other: 2, toString: 3 })(asking('a', 'b'));
    expect(some).toMatchObject({ status: 'input_required', inputRequests: { b: QUESTION } });
    expect(some?.inputResponses).toEqual({ a: 1 });
    const all = giveInput({ b: 2 })(some as TaskRecord);
    expect(all).toMatchObject({ status: 'working', inputRequests: {}, inputResponses: { a: 1, b: 2 } });
    expect(giveInput({ a: 9 })(all as TaskRecord)).toBeUndefined();
    expect(giveInput({})(asking('a'))).toBeUndefined();
  });

  it('take questions back, and go on with the last (TASK-02)', () => {
    const one = withdrawInput('a')(asking('a', 'b'));
    expect(one).toMatchObject({ status: 'input_required', inputRequests: { b: QUESTION } });
    expect(one?.inputResponses).toEqual({});
    expect(withdrawInput('b')(one as TaskRecord)).toMatchObject({ status: 'working', inputRequests: {} });
    expect(withdrawInput('other')(asking('a'))).toBeUndefined();
  });

  it('say where it is in words, cut at a thousand, and the same once (TASK-02)', () => {
    const told = setStatusMessage('x'.repeat(2000))(buildRecord());
    expect(told?.statusMessage).toHaveLength(1000);
    expect(setStatusMessage('x'.repeat(2000))(told as TaskRecord)).toBeUndefined();
  });

  it.each([
    ['completed', complete({ content: [] }), { result: { content: [] } }],
    [
      'failed',
      fail({ code: -1, message: 'why' }),
      { error: { code: -1, message: 'why' }, statusMessage: 'why' },
    ],
    ['failed', failWith('gone'), { error: { code: -32603, message: 'gone' } }],
    ['cancelled', cancel, {}],
  ])('end it as "%s", with nothing asked or said any more (TASK-02)', (status, change, members) => {
    const ended = change({ ...asking('a'), statusMessage: 'busy', inputResponses: { b: 1 } });
    expect(ended).toMatchObject({ status, inputRequests: {}, inputResponses: {}, ...members });
    expect(ended?.statusMessage).not.toBe('busy');
  });

  it('keep what outlived its time for a while, so that its client learns of it (TASK-02)', () => {
    const expired = expire(buildRecord({ expires: 1000 }));
    expect(expired).toMatchObject({ status: 'failed', expires: 61_000 });
  });
});
