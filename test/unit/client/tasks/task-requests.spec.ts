import { describe, expect, it } from '@jest/globals';
import { parseTask, type TaskAnswer } from '../../../../lib/client/tasks/task-answer.js';
import { isUnderWay, selectPollInterval } from '../../../../lib/client/tasks/task-requests.js';

function readTask(members: object): TaskAnswer {
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
    expect(isUnderWay(readTask({ status }))).toBe(expected);
  });
});
