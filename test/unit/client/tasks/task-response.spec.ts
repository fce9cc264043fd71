import { describe, expect, it } from '@jest/globals';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import {
  wrapTaskAsError,
  findTask,
  isActive,
  parseTask,
  selectPollInterval,
  type TaskState,
} from '../../../../lib/client/tasks/task-response.js';

function carry(result: { [name: string]: unknown }): unknown {
  const message = wrapTaskAsError({ jsonrpc: '2.0', id: 7, result });
  if (!('error' in message)) return undefined;
  return findTask(Object.assign(new Error(message.error.message), message.error));
}

describe('The answer of a call that became a task', () => {
  it('comes past the official client in the way of the extension (CLI-18)', () => {
    const task = { taskId: 't', status: 'working', pollIntervalMs: 50, ttlMs: null };
    expect(carry({ resultType: 'task', ...task })).toMatchObject({
      taskId: 't',
      status: 'working',
      pollIntervalMs: 50,
      isCore: false,
    });
  });

  it('comes past it in the way of 2025-11-25 (CLI-18)', () => {
    const task = { taskId: 't', status: 'working', pollInterval: 50, ttl: 1_000 };
    expect(carry({ task })).toMatchObject({ taskId: 't', pollIntervalMs: 50, isCore: true });
  });

  it('is not mistaken for a result, nor a result for it (CLI-18)', () => {
    const results: JSONRPCMessage[] = [
      { jsonrpc: '2.0', id: 7, result: { content: [], task: { taskId: 't', status: 'working' } } },
      { jsonrpc: '2.0', id: 7, result: { resultType: 'complete', content: [] } },
      { jsonrpc: '2.0', method: 'notifications/message', params: { task: {} } },
    ];
    for (const message of results) expect(wrapTaskAsError(message)).toBe(message);
    expect(findTask(Object.assign(new Error('no'), { code: -32_000, data: { task: {} } }))).toBeUndefined();
  });
});

describe('parseTask', () => {
  it('reads "running" as "working", as sessions say it (CLI-18)', () => {
    const task = { taskId: 't', status: 'running', requestState: 'sealed' };
    expect(parseTask(task, false)).toMatchObject({ status: 'working', requestState: 'sealed' });
  });

  it.each([undefined, null, [], {}, { taskId: 7, status: 'working' }, { taskId: 't' }])(
    'finds no task in %j (CLI-18)',
    (value) => {
      expect(parseTask(value, false)).toBeUndefined();
    },
  );
});

function readTask(members: object): TaskState {
  const task = parseTask({ taskId: 't', status: 'working', ...members }, false);
  if (task === undefined) throw new TypeError('It is no task');
  return task;
}

describe('Looking at a task', () => {
  it.each([
    [undefined, 1_000],
    [700, 700],
    [0, 50],
    [-1, 50],
    [86_400_000, 60_000],
  ])('goes at the pace of the server, within reason: %p (CLI-18)', (pollIntervalMs, expected) => {
    expect(selectPollInterval(readTask({ pollIntervalMs }))).toBe(expected);
  });

  it.each([
    ['working', true],
    ['running', true],
    ['input_required', true],
    ['completed', false],
    ['failed', false],
    ['cancelled', false],
    ['unheard_of', false],
  ])('goes on while it is under way: %s (CLI-18)', (status, expected) => {
    expect(isActive(readTask({ status }))).toBe(expected);
  });
});
