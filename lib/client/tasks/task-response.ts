import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../core/protocol/json-rpc.js';

/** A task as described by its server, in any protocol version. */
export interface TaskState {
  readonly taskId: string;
  /** `working`, `input_required`, `completed`, `failed` or `cancelled`; `running` is read as `working`. */
  readonly status: string;
  readonly statusMessage?: string | undefined;
  readonly pollIntervalMs?: number | undefined;
  /** Opaque state that the next poll sends back to the server. */
  readonly requestState?: string | undefined;
  /** The pending input requests, by key. */
  readonly inputRequests: { readonly [key: string]: unknown };
  readonly result?: unknown;
  readonly error?: unknown;
  /** Whether its result has a separate request, as in 2025-11-25. */
  readonly isCore: boolean;
  /**
   * The id of the call that became the task, which is also its progress token. Absent if the task was found in
   * another way.
   */
  readonly callId?: number | undefined;
}

/** Marks an error that carries a task where the official client expects a result. It is never sent. */
const TASK_CODE = -32_000;
const MARK = 'nestjs-mcp: a task';

/**
 * Returns a response in a form that the official client accepts. That client does not support tasks, so a task is
 * wrapped in an error, and {@link findTask} extracts it.
 */
export function wrapTaskAsError(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || !isCreated(message.result)) return message;
  const data = { mark: MARK, task: message.result, callId: Number(message.id) };
  return { jsonrpc: '2.0', id: message.id, error: { code: TASK_CODE, message: MARK, data } };
}

/** In 2025-11-25, the task is a property, and `content` is missing. */
function isCreated(result: { readonly [name: string]: unknown }): boolean {
  return result['resultType'] === 'task' || (isObject(result['task']) && !('content' in result));
}

/** Finds the task in a call's error. */
export function findTask(error: unknown): TaskState | undefined {
  if (!isObject(error) || error['code'] !== TASK_CODE) return undefined;
  const { data } = error;
  if (!isObject(data) || data['mark'] !== MARK || !isObject(data['task'])) return undefined;
  const { task: nested } = data['task'];
  const task = isObject(nested) ? parseTask(nested, true) : parseTask(data['task'], false);
  return task && { ...task, callId: data['callId'] as number };
}

/** Reads a task. Returns `undefined` if it is not one. */
export function parseTask(value: unknown, isCore: boolean): TaskState | undefined {
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

/** Accepts every result, because a task's properties depend on its status. */
export const ANY_RESULT = {
  '~standard': { version: 1, vendor: 'nestjs-mcp', validate: (value: unknown) => ({ value }) },
} as const;

/** Selects the poll interval: the server's, within limits. */
export function selectPollInterval({ pollIntervalMs = DEFAULT_POLL_MS }: TaskState): number {
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, pollIntervalMs));
}

/** Returns whether a task is still running or waiting for input. */
export function isActive({ status }: TaskState): boolean {
  return status === 'working' || status === 'input_required';
}
