import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import {
  ANY_RESULT,
  isActive,
  parseTask,
  selectPollInterval,
  type TaskState,
} from '../../lib/client/tasks/task-response.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { untilAborted } from '../../lib/core/async/promises.js';
import { CLOSING_TIMEOUT_MS } from '../server/closing-timeout.js';
import { makeLine } from '../visible-text.js';
import { isElicitation, type Elicitor } from './elicitor.js';
import type { ToolOutcome } from './format-result.js';
import type { Interrupt } from './interrupt.js';
import type { ProgressDisplay } from './progress-display.js';
import type { InactivityTimeout } from './inactivity-timeout.js';
import { TaskEndedError, TaskStalledError } from './task.errors.js';

/** The result may wait for the user. The signal ends the request. */
const LONGEST_RESULT_MS = 24 * 60 * 60 * 1000;

/** The dependencies for polling a task. */
export interface TaskFollower {
  readonly client: Client;
  readonly display: ProgressDisplay;
  /** Responds to the task's elicitation requests; absent if there is no terminal. */
  readonly elicitor: Elicitor | undefined;
  readonly timeoutMs: number;
  /** Ends the task if it makes no progress. */
  readonly inactivity: InactivityTimeout;
  readonly interrupt: Interrupt;
}

/**
 * Polls a task at the interval that the server suggests, and returns its result. An abandoned task is cancelled.
 *
 * @throws {TaskEndedError} if it ended without a result
 * @throws {TaskStalledError} if it makes no progress within the timeout
 * @see SEP-2663 (extension io.modelcontextprotocol/tasks)
 */
export async function followTask(begun: TaskState, follower: TaskFollower): Promise<ToolOutcome> {
  const { inactivity, interrupt } = follower;
  const { taskId } = begun;
  inactivity.start((limitMs) => new TaskStalledError(taskId, limitMs));
  const givenUp = AbortSignal.any([interrupt.signal, inactivity.signal]);
  try {
    // The user may never respond.
    return await untilAborted(pollTask(begun, follower, givenUp), givenUp);
  } catch (error) {
    if (!(error instanceof TaskEndedError) || error.status === 'input_required') {
      await cancelTask(taskId, follower);
    }
    throw error;
  } finally {
    inactivity.stop();
  }
}

async function pollTask(
  begun: TaskState,
  follower: TaskFollower,
  givenUp: AbortSignal,
): Promise<ToolOutcome> {
  const answered = new Set<string>();
  let shown = '';
  let task = begun;
  for (;;) {
    const line = describeTask(task);
    follower.display.updateTask(line);
    if (line !== shown) follower.inactivity.renew();
    shown = line;
    const isAskedByResult = task.isCore && task.status === 'input_required';
    if (!isActive(task) || isAskedByResult) return takeResult(task, follower, givenUp);
    await answerQuestions(task, answered, follower);
    await delay(selectPollInterval(task), undefined, { signal: givenUp });
    task = await requestTask(task, follower);
  }
}

async function cancelTask(taskId: string, { client }: TaskFollower): Promise<void> {
  const request = { method: 'tasks/cancel', params: { taskId } };
  await client.request(request, ANY_RESULT, { timeout: CLOSING_TIMEOUT_MS }).catch(() => undefined);
}

function describeTask({ taskId, status, statusMessage }: TaskState): string {
  const about = makeLine(statusMessage ?? '');
  return `task ${makeLine(taskId)}: ${makeLine(status)}${about === '' ? '' : ` (${about})`}`;
}

/** A 2025-11-25 task returns its result with `tasks/result`, and sends its elicitation requests while the client waits for that. */
async function takeResult(
  task: TaskState,
  follower: TaskFollower,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { taskId, status, error } = task;
  if (task.isCore && status !== 'cancelled') {
    const request = { method: 'tasks/result', params: { taskId } };
    follower.display.end();
    const result = await follower.client.request(request, ANY_RESULT, { timeout: LONGEST_RESULT_MS, signal });
    if (isObject(result)) return result;
  }
  const { result } = task;
  if (status === 'completed' && isObject(result)) return result;
  const reason = isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  throw new TaskEndedError(task.taskId, status, reason ?? task.statusMessage);
}

async function requestTask(
  { taskId, isCore }: TaskState,
  { client, timeoutMs }: TaskFollower,
): Promise<TaskState> {
  const request = { method: 'tasks/get', params: { taskId } };
  const task = parseTask(await client.request(request, ANY_RESULT, { timeout: timeoutMs }), isCore);
  if (task !== undefined) return task;
  throw new TaskEndedError(taskId, 'lost', 'the server returned no task');
}

/** Responds to each request once, because the server may repeat a request until it has processed the response. */
async function answerQuestions(
  task: TaskState,
  answered: Set<string>,
  follower: TaskFollower,
): Promise<void> {
  const { client, display, elicitor, timeoutMs } = follower;
  const open = Object.entries(task.inputRequests).filter(([key]) => !answered.has(key));
  if (open.length === 0) return;
  display.end();
  const inputResponses: { [key: string]: unknown } = {};
  for (const [key, request] of open) {
    answered.add(key);
    if (elicitor === undefined || !isElicitation(request)) {
      throw new TaskEndedError(
        task.taskId,
        'input_required',
        'it requires input that cannot be provided here',
      );
    }
    inputResponses[key] = await elicitor.answer(request.params);
  }
  const params = { taskId: task.taskId, inputResponses };
  await client.request({ method: 'tasks/update', params }, ANY_RESULT, { timeout: timeoutMs });
}
