import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import { mergeScopes } from '../../../../core/oauth/scope.js';
import type { InputRequest } from '../../../../core/protocol/input-requests.js';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import type { JsonRpcErrorObject } from '../../../../core/protocol/json-rpc.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';

/** Returns the changed task, or `undefined` if it is unchanged. It is never called with a finished task. */
export type TaskChange = (record: TaskRecord) => TaskRecord | undefined;

/** Returns whether a task has a final status. */
export function isOver({ status }: TaskRecord): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/**
 * Adds an input request for the client. A retried call repeats its requests, so pending requests and responses remain.
 */
export function askInput(key: string, request: InputRequest): TaskChange {
  return (record) => {
    const { inputRequests, inputResponses } = record;
    if (Object.hasOwn(inputRequests, key) || Object.hasOwn(inputResponses, key)) return undefined;
    return { ...record, status: 'input_required', inputRequests: { ...inputRequests, [key]: request } };
  };
}

/** Adds the client's responses. Responses to unknown or completed requests are ignored. */
export function giveInput(responses: OpenObject): TaskChange {
  return (record) => {
    const open = new Map(Object.entries(record.inputRequests));
    const answered = Object.entries(responses).filter(([key]) => open.delete(key));
    if (answered.length === 0) return undefined;
    return {
      ...record,
      status: open.size === 0 ? 'working' : 'input_required',
      inputRequests: Object.fromEntries(open),
      inputResponses: { ...record.inputResponses, ...Object.fromEntries(answered) },
    };
  };
}

/** Withdraws an input request that the client refused. */
export function withdrawInput(key: string): TaskChange {
  return (record) => {
    if (!Object.hasOwn(record.inputRequests, key)) return undefined;
    const { [key]: _withdrawn, ...inputRequests } = record.inputRequests;
    const isOpen = Object.keys(inputRequests).length > 0;
    return { ...record, status: isOpen ? 'input_required' : 'working', inputRequests };
  };
}

const LONGEST_MESSAGE = 1000;

/** Sets the status message. */
export function setStatusMessage(message: string): TaskChange {
  const statusMessage = message.slice(0, LONGEST_MESSAGE);
  return (record) => (record.statusMessage === statusMessage ? undefined : { ...record, statusMessage });
}

/** Adds the scopes that the call has required so far to a change. */
export function noteScopes(change: TaskChange, listScopes: () => readonly string[]): TaskChange {
  return (record) => {
    const changed = change(record);
    // In a record without scopes, a partial list would be mistaken for the full list.
    if (changed?.scopes === undefined) return changed;
    return { ...changed, scopes: mergeScopes(changed.scopes, listScopes()) };
  };
}

/** Ends a task with its call's result. */
export function complete(result: OpenObject): TaskChange {
  return (record) => ({ ...end(record), status: 'completed', result });
}

/** Ends a task with its call's error. */
export function fail(error: JsonRpcErrorObject): TaskChange {
  return (record) => ({
    ...end(record),
    status: 'failed',
    statusMessage: error.message.slice(0, LONGEST_MESSAGE),
    error,
  });
}

/** Fails a task that cannot be finished. */
export function failWith(reason: string): TaskChange {
  return fail({ code: ErrorCode.InternalError, message: reason });
}

/** How long an expired task is retained for its client to read the failure, in milliseconds. */
const GRACE_MS = 60_000;

/** Fails a task whose time to live has passed. */
export const expire: TaskChange = (record) => {
  const failed = failWith('The task exceeded its time to live')(record);
  return failed && { ...failed, expires: record.expires + GRACE_MS };
};

/** Cancels a task. */
export const cancel: TaskChange = (record) => ({ ...end(record), status: 'cancelled' });

/** Removes the input requests, the status message and the call, which will not run again. */
function end({ statusMessage: _message, call: given, ...record }: TaskRecord): TaskRecord {
  // The tool name stays, because a record without scopes requires its tool's scopes.
  const { version, params, transport } = given;
  const call = {
    version,
    params: { name: params['name'] },
    client: { capabilities: {} },
    ...(transport && { transport }),
  };
  return { ...record, call, inputRequests: {}, inputResponses: {} };
}
