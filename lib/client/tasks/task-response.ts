import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../core/protocol/json-rpc.js';

/** A task as its server describes it, in any of the protocol's ways. */
export interface TaskAnswer {
  readonly taskId: string;
  /** `working`, `input_required`, `completed`, `failed` or `cancelled`; `running` is read as the first. */
  readonly status: string;
  readonly statusMessage?: string | undefined;
  readonly pollIntervalMs?: number | undefined;
  /** What the server wants to see again with the next look; opaque. */
  readonly requestState?: string | undefined;
  /** The questions that it waits for, by their keys. */
  readonly inputRequests: { readonly [key: string]: unknown };
  readonly result?: unknown;
  readonly error?: unknown;
  /** Whether its result is asked for by itself, as in 2025-11-25. */
  readonly isCore: boolean;
  /** The id of the call that became the task, which is the token of its progress too. Absent if it was found otherwise. */
  readonly callId?: number | undefined;
}

/** Marks an answer that carries a task where the official client expects a result. It never goes over the wire. */
const TASK_CODE = -32_000;
const MARK = 'nestjs-mcp: a task';

/**
 * Returns the answer of a server as the official client accepts it. That client knows no tasks, so a task becomes an
 * error that carries it, and {@link findTask} takes it out again.
 */
export function disguiseTask(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || !isCreated(message.result)) return message;
  const data = { mark: MARK, task: message.result, callId: Number(message.id) };
  return { jsonrpc: '2.0', id: message.id, error: { code: TASK_CODE, message: MARK, data } };
}

/** The revision of 2025-11-25 has the task in a member, and nothing else that a tool's result has. */
function isCreated(result: { readonly [name: string]: unknown }): boolean {
  return result['resultType'] === 'task' || (isObject(result['task']) && !('content' in result));
}

/** Finds the task that a call was answered with. */
export function findTask(error: unknown): TaskAnswer | undefined {
  if (!isObject(error) || error['code'] !== TASK_CODE) return undefined;
  const { data } = error;
  if (!isObject(data) || data['mark'] !== MARK || !isObject(data['task'])) return undefined;
  const { task: nested } = data['task'];
  const task = isObject(nested) ? parseTask(nested, true) : parseTask(data['task'], false);
  return task && { ...task, callId: data['callId'] as number };
}

/** Reads a task. Returns `undefined` if it is not one. */
export function parseTask(value: unknown, isCore: boolean): TaskAnswer | undefined {
  if (!isObject(value)) return undefined;
  const { taskId, status, inputRequests, result, error } = value;
  if (typeof taskId !== 'string' || typeof status !== 'string') return undefined;
  return {
    taskId,
    status: status === 'running' ? 'working' : status,
    statusMessage: readText(value['statusMessage']),
    pollIntervalMs: readNumber(value[isCore ? 'pollInterval' : 'pollIntervalMs']),
    requestState: readText(value['requestState']),
    inputRequests: isObject(inputRequests) ? inputRequests : {},
    result,
    error,
    isCore,
  };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

const DEFAULT_POLL_MS = 1_000;
const SHORTEST_POLL_MS = 50;
const LONGEST_POLL_MS = 60_000;

/** Lets every result through: what a task has in it depends on its status. */
export const ANY_RESULT = {
  '~standard': { version: 1, vendor: 'nestjs-mcp', validate: (value: unknown) => ({ value }) },
} as const;

/** Selects the pace at which a task is looked at: the server's, within reason. */
export function selectPollInterval({ pollIntervalMs = DEFAULT_POLL_MS }: TaskAnswer): number {
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, pollIntervalMs));
}

/** Tells whether a server continues with a task, or waits for an answer to do so. */
export function isUnderWay({ status }: TaskAnswer): boolean {
  return status === 'working' || status === 'input_required';
}
