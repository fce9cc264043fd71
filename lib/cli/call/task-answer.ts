import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../protocol/json-rpc.js';

/** A task as its server describes it (extension io.modelcontextprotocol/tasks). */
export interface Task {
  readonly taskId: string;
  /** `working`, `input_required`, `completed`, `failed` or `cancelled`; some servers say `running` for the first. */
  readonly status: string;
  readonly statusMessage?: string | undefined;
  readonly pollIntervalMs?: number | undefined;
  /** The questions that it waits for, by their keys. */
  readonly inputRequests: { readonly [key: string]: unknown };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The extension, as clients declare it. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Marks an answer that carries a task where the official client expects a result. It never goes over the wire. */
const TASK_CODE = -32_000;
const MARK = 'nestjs-mcp: a task';

/**
 * Gives the answer of a server as the official client takes it, which knows no tasks yet: where it is a task, as an error
 * that carries the task, and that {@link findTask} takes out again.
 */
export function disguiseTask(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || message.result['resultType'] !== 'task') return message;
  const data = { mark: MARK, task: message.result };
  return { jsonrpc: '2.0', id: message.id, error: { code: TASK_CODE, message: MARK, data } };
}

/** Finds the task that a call was answered with. */
export function findTask(error: unknown): Task | undefined {
  if (!isObject(error) || error['code'] !== TASK_CODE) return undefined;
  const { data } = error;
  return isObject(data) && data['mark'] === MARK ? parseTask(data['task']) : undefined;
}

/** Reads a task; nothing where it is none. */
export function parseTask(value: unknown): Task | undefined {
  if (!isObject(value)) return undefined;
  const { taskId, status, statusMessage, pollIntervalMs, inputRequests, result, error } = value;
  if (typeof taskId !== 'string' || typeof status !== 'string') return undefined;
  return {
    taskId,
    status: status === 'running' ? 'working' : status,
    statusMessage: typeof statusMessage === 'string' ? statusMessage : undefined,
    pollIntervalMs: typeof pollIntervalMs === 'number' ? pollIntervalMs : undefined,
    inputRequests: isObject(inputRequests) ? inputRequests : {},
    result,
    error,
  };
}
