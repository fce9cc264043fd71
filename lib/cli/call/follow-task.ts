import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { isObject } from '../../protocol/json-rpc.js';
import { makeLine } from '../visible-text.js';
import { isElicitation, type Elicitor } from './elicitor.js';
import type { ToolOutcome } from './format-result.js';
import type { ProgressDisplay } from './progress-display.js';
import { parseTask, type Task } from './task-answer.js';
import { TaskEndedError } from './task-ended.error.js';

/** What it takes to see a task through. */
export interface TaskFollower {
  readonly client: Client;
  readonly display: ProgressDisplay;
  /** Who answers what the task asks for; absent where nobody does. */
  readonly elicitor: Elicitor | undefined;
  readonly timeoutMs: number;
}

const DEFAULT_POLL_MS = 1_000;
const SHORTEST_POLL_MS = 50;
const LONGEST_POLL_MS = 60_000;

/** Lets every result through: what a task has in it depends on its status. */
const ANY_RESULT = {
  '~standard': { version: 1, vendor: 'nestjs-mcp', validate: (value: unknown) => ({ value }) },
} as const;

/**
 * Asks for a task until it has ended, at the pace that the server wishes, and gives its result.
 *
 * @throws {TaskEndedError} where it ended without one
 * @see SEP-2663 (extension io.modelcontextprotocol/tasks)
 */
export async function followTask(begun: Task, follower: TaskFollower): Promise<ToolOutcome> {
  const answered = new Set<string>();
  let task = begun;
  for (;;) {
    follower.display.updateTask(describeTask(task));
    const ending = findEnding(task);
    if (ending !== undefined) return ending;
    await answerQuestions(task, answered, follower);
    await delay(selectPollInterval(task));
    task = await requestTask(task.taskId, follower);
  }
}

function describeTask({ taskId, status, statusMessage }: Task): string {
  const about = makeLine(statusMessage ?? '');
  return `task ${makeLine(taskId)}: ${makeLine(status)}${about === '' ? '' : ` (${about})`}`;
}

function findEnding(task: Task): ToolOutcome | undefined {
  const { status, result, error } = task;
  if (status === 'working' || status === 'input_required') return undefined;
  if (status === 'completed' && isObject(result)) return result;
  const reason = isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  throw new TaskEndedError(task.taskId, status, reason ?? task.statusMessage);
}

function selectPollInterval({ pollIntervalMs = DEFAULT_POLL_MS }: Task): number {
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, pollIntervalMs));
}

async function requestTask(taskId: string, { client, timeoutMs }: TaskFollower): Promise<Task> {
  const request = { method: 'tasks/get', params: { taskId } };
  const task = parseTask(await client.request(request, ANY_RESULT, { timeout: timeoutMs }));
  if (task !== undefined) return task;
  throw new TaskEndedError(taskId, 'lost', 'the server answers with something else');
}

/** Each question is answered once: the server may show it again until it has taken the answer in. */
async function answerQuestions(task: Task, answered: Set<string>, follower: TaskFollower): Promise<void> {
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
