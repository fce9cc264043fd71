import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { parseTask, type TaskAnswer } from '../../client-tasks/task-answer.js';
import { ANY_RESULT, isUnderWay, selectPollInterval } from '../../client-tasks/task-requests.js';
import { isObject } from '../../protocol/json-rpc.js';
import { makeLine } from '../visible-text.js';
import { isElicitation, type Elicitor } from './elicitor.js';
import type { ToolOutcome } from './format-result.js';
import type { ProgressDisplay } from './progress-display.js';
import { TaskEndedError } from './task-ended.error.js';

/** What it takes to see a task through. */
export interface TaskFollower {
  readonly client: Client;
  readonly display: ProgressDisplay;
  /** Who answers what the task asks for; absent where nobody does. */
  readonly elicitor: Elicitor | undefined;
  readonly timeoutMs: number;
}

/**
 * Asks for a task until it has ended, at the pace that the server wishes, and gives its result.
 *
 * @throws {TaskEndedError} where it ended without one
 * @see SEP-2663 (extension io.modelcontextprotocol/tasks)
 */
export async function followTask(begun: TaskAnswer, follower: TaskFollower): Promise<ToolOutcome> {
  const answered = new Set<string>();
  let task = begun;
  for (;;) {
    follower.display.updateTask(describeTask(task));
    const ending = findEnding(task);
    if (ending !== undefined) return ending;
    await answerQuestions(task, answered, follower);
    await delay(selectPollInterval(task));
    task = await requestTask(task, follower);
  }
}

function describeTask({ taskId, status, statusMessage }: TaskAnswer): string {
  const about = makeLine(statusMessage ?? '');
  return `task ${makeLine(taskId)}: ${makeLine(status)}${about === '' ? '' : ` (${about})`}`;
}

function findEnding(task: TaskAnswer): ToolOutcome | undefined {
  const { status, result, error } = task;
  if (isUnderWay(task)) return undefined;
  if (status === 'completed' && isObject(result)) return result;
  const reason = isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  throw new TaskEndedError(task.taskId, status, reason ?? task.statusMessage);
}

async function requestTask(
  { taskId, isCore }: TaskAnswer,
  { client, timeoutMs }: TaskFollower,
): Promise<TaskAnswer> {
  const request = { method: 'tasks/get', params: { taskId } };
  const task = parseTask(await client.request(request, ANY_RESULT, { timeout: timeoutMs }), isCore);
  if (task !== undefined) return task;
  throw new TaskEndedError(taskId, 'lost', 'the server answers with something else');
}

/** Each question is answered once: the server may show it again until it has taken the answer in. */
async function answerQuestions(
  task: TaskAnswer,
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
      throw new TaskEndedError(task.taskId, 'input_required', 'it asks for what cannot be answered here');
    }
    inputResponses[key] = await elicitor.answer(request.params);
  }
  const params = { taskId: task.taskId, inputResponses };
  await client.request({ method: 'tasks/update', params }, ANY_RESULT, { timeout: timeoutMs });
}
