import type { ClientCapabilities, OpenObject } from '../../../core/protocol/capabilities.js';
import type { ClientRequest } from '../../../core/protocol/client-requests.js';
import type { Implementation } from '../../../core/protocol/definitions.js';
import type { JsonRpcErrorObject, Params } from '../../../core/protocol/json-rpc.js';
import type { TransportKind } from '../transport-kind.js';

/** Where a task is in its life: the last three are final (MCP extension tasks, "Task Status"). */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** In which of the protocol's ways a task was requested. */
export type TaskProfile = 'published' | 'core' | 'service';

/** The call that a task runs, with everything to run it in another process. */
export interface TaskCall {
  /** The protocol revision in which the call was made. */
  readonly version: string;
  /** The parameters of `tools/call`; empty once the task is over. */
  readonly params: Params;
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities };
  /** What the caller's token said; the token itself is not kept. */
  readonly authentication?: OpenObject;
  /** How the call came. Records of earlier versions lack it. */
  readonly transport?: TransportKind;
  /** Names the span of the request, to which the run is linked; absent if none was recorded. */
  readonly trace?: { readonly [name: string]: string };
  /** Whether only the process that created the task knows its work. */
  readonly isLocal?: boolean;
}

/** A task as it is stored: JSON only. */
export interface TaskRecord {
  readonly taskId: string;
  /** Counts the changes, from 1. */
  readonly version: number;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds from creation after which the task may be gone. */
  readonly ttlMs: number;
  /** Milliseconds between two looks at the task. */
  readonly pollIntervalMs: number;
  /** When the record may be removed, in milliseconds of the epoch. */
  readonly expires: number;
  /** Tells callers apart; absent if the caller is unknown. */
  readonly owner?: string;
  /**
   * Scopes that the call required: a token without them does not see the task. Records of earlier versions lack it: those that the
   * tool requires count then.
   */
  readonly scopes?: readonly string[];
  /** The session that hears of the task; absent if there is none. */
  readonly sessionId?: string;
  readonly profile: TaskProfile;
  readonly call: TaskCall;
  /** The process that answers for the task; absent while it waits in a queue that outlives processes. */
  readonly holder?: string;
  /** What the client is asked and has not answered. */
  readonly inputRequests: { readonly [key: string]: ClientRequest };
  /** What the client has answered. */
  readonly inputResponses: { readonly [key: string]: unknown };
  /** The result of the call; only in `completed`. */
  readonly result?: OpenObject;
  /** Why the call failed; only in `failed`. */
  readonly error?: JsonRpcErrorObject;
}

/** Selects the tasks that a client may list. */
export interface TaskSelection {
  readonly owner?: string;
  /** Counts if the owner is not known. */
  readonly sessionId?: string;
  /**
   * Scopes of the caller's token: a task whose `scopes` are not all among them may be left out. The server does not show it in any
   * case; to leave it out saves reading it. @default none is left out
   */
  readonly scopes?: readonly string[];
  /** Where the page before ended, at a task that may be gone; the first page if it is left out. */
  readonly after?: Pick<TaskRecord, 'createdAt' | 'taskId'>;
  readonly limit: number;
}

/** Knows which processes are alive, for a store that several share or that outlives them. */
export interface TaskHolders {
  /** Notes that a process lives, until a time in milliseconds of the epoch. */
  renew(holder: string, until: number): Promise<void>;
  /** Gives the processes that live at a time. */
  list(now: number): Promise<readonly string[]>;
}

/**
 * Keeps tasks. A task is stored for good once `create` resolves.
 *
 * @example
 * class SqlTaskStore implements TaskStore {
 *   async replace(record: TaskRecord) {
 *     const { count } = await this.sql`UPDATE task SET record = ${record}, version = ${record.version}
 *       WHERE id = ${record.taskId} AND version = ${record.version - 1}`;
 *     return count === 1;
 *   }
 * }
 */
export interface TaskStore {
  create(record: TaskRecord): Promise<void>;
  find(taskId: string): Promise<TaskRecord | undefined>;
  /** Replaces a task if the stored version is the one before the record's; tells whether it did. */
  replace(record: TaskRecord): Promise<boolean>;
  /** Gives tasks in the order of their `createdAt`, and of their `taskId` if that is the same. */
  list(selection: TaskSelection): Promise<readonly TaskRecord[]>;
  /** Returns the tasks that are not finished. */
  listOpen(): Promise<readonly TaskRecord[]>;
  /** Removes the tasks that expired before a time, in milliseconds of the epoch. */
  removeExpired(before: number): Promise<void>;
  /** Needed if tasks outlive the process: tasks of processes that are gone are failed. @default they do not */
  readonly holders?: TaskHolders;
  /** Needed if several processes share it: reports changes of others, and returns what ends it. @default there are none */
  watch?(changed: (taskId: string) => void): () => void;
}
