import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import { uniteScopes } from '../../../../core/oauth/scope.js';
import type { ClientRequest } from '../../../../core/protocol/client-requests.js';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import type { JsonRpcErrorObject } from '../../../../core/protocol/json-rpc.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';

/** Gives what a task becomes, or `undefined` if it stays as it is. A task that is over is never asked. */
export type TaskChange = (record: TaskRecord) => TaskRecord | undefined;

/** Tells whether a task is over: nothing changes it any more. */
export function isOver({ status }: TaskRecord): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/**
 * Puts a question to the client: the task waits for it, whatever else it waits for. A repeated call asks the same
 * questions again. Pending questions and given answers stay.
 */
export function askInput(key: string, request: ClientRequest): TaskChange {
  return (record) => {
    const { inputRequests, inputResponses } = record;
    if (Object.hasOwn(inputRequests, key) || Object.hasOwn(inputResponses, key)) return undefined;
    return { ...record, status: 'input_required', inputRequests: { ...inputRequests, [key]: request } };
  };
}

/** Accepts the client's answers. Answers to unknown or answered questions are left out. */
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

/** Takes back a question that the client refused to answer. */
export function withdrawInput(key: string): TaskChange {
  return (record) => {
    if (!Object.hasOwn(record.inputRequests, key)) return undefined;
    const { [key]: _withdrawn, ...inputRequests } = record.inputRequests;
    const isOpen = Object.keys(inputRequests).length > 0;
    return { ...record, status: isOpen ? 'input_required' : 'working', inputRequests };
  };
}

const LONGEST_MESSAGE = 1000;

/** Says in words where the task is. */
export function setStatusMessage(message: string): TaskChange {
  const statusMessage = message.slice(0, LONGEST_MESSAGE);
  return (record) => (record.statusMessage === statusMessage ? undefined : { ...record, statusMessage });
}

/** Makes a change, and notes with it what the call has required of its caller by then. */
export function noteScopes(change: TaskChange, listScopes: () => readonly string[]): TaskChange {
  return (record) => {
    const changed = change(record);
    // Of a record that does not say what it requires, some of it would be taken for all.
    if (changed?.scopes === undefined) return changed;
    return { ...changed, scopes: uniteScopes(changed.scopes, listScopes()) };
  };
}

/** Ends a task with the result of its call. */
export function complete(result: OpenObject): TaskChange {
  return (record) => ({ ...end(record), status: 'completed', result });
}

/** Ends a task with the error of its call. */
export function fail(error: JsonRpcErrorObject): TaskChange {
  return (record) => ({
    ...end(record),
    status: 'failed',
    statusMessage: error.message.slice(0, LONGEST_MESSAGE),
    error,
  });
}

/** Ends a task that nobody finishes. */
export function giveUp(reason: string): TaskChange {
  return fail({ code: ErrorCode.InternalError, message: reason });
}

/** How long a task that outlived its time to live is kept, so that its client learns of it. */
const GRACE_MS = 60_000;

/** Ends a task that outlived its time to live. */
export const expire: TaskChange = (record) => {
  const failed = giveUp('The task took longer than its time to live')(record);
  return failed && { ...failed, expires: record.expires + GRACE_MS };
};

/** Ends a task at the client's wish. */
export const cancel: TaskChange = (record) => ({ ...end(record), status: 'cancelled' });

/** Its questions end, its status message is removed, and its call is not made again. */
function end({ statusMessage: _message, call: given, ...record }: TaskRecord): TaskRecord {
  // A record without scopes requires those of the tool that it names.
  const { version, params, transport } = given;
  const call = {
    version,
    params: { name: params['name'] },
    client: { capabilities: {} },
    ...(transport && { transport }),
  };
  return { ...record, call, inputRequests: {}, inputResponses: {} };
}
