import type { ClientCapabilities, OpenObject } from '../../../core/protocol/capabilities.js';
import type { InputRequest } from '../../../core/protocol/input-requests.js';
import type { Implementation } from '../../../core/protocol/definitions.js';
import type { JsonRpcErrorObject, Params } from '../../../core/protocol/json-rpc.js';
import type { TransportKind } from '../transport-kind.js';

/** A task's status. The last three are final (MCP extension tasks, "Task Status"). */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The protocol's task format with which a task was created. */
export type TaskProfile = 'published' | 'core' | 'service';

/** A task's call, with everything that another process needs to run it. */
export interface TaskCall {
  /** The call's protocol revision. */
  readonly version: string;
  /** The parameters of `tools/call`; empty once the task is finished. */
  readonly params: Params;
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities };
  /** The claims in the caller's token. The token itself is not stored. */
  readonly authentication?: OpenObject;
  /** The call's transport. Records from earlier versions lack it. */
  readonly transport?: TransportKind;
  /** The request span, to which the run is linked; absent if no span was recorded. */
  readonly trace?: { readonly [name: string]: string };
  /** Whether only the process that created the task can run it. */
  readonly isLocal?: boolean;
}

/** A task as stored, using only JSON values. */
export interface TaskRecord {
  readonly taskId: string;
  /** The current version number, starting at 1. */
  readonly version: number;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** When the task was created, in ISO 8601. */
  readonly createdAt: string;
  /** When the task last changed, in ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds after creation until the task may be removed. */
  readonly ttlMs: number;
  /** Milliseconds between two polls of the task. */
  readonly pollIntervalMs: number;
  /** When the record may be removed, in milliseconds since 1970. */
  readonly expires: number;
  /** Identifies the caller; absent if the caller is unknown. */
  readonly owner?: string;
  /**
   * Scopes that the call required. A token without them cannot see the task. In records from earlier versions, which
   * lack this property, the tool's scopes apply.
   */
  readonly scopes?: readonly string[];
  /** The session that is notified of the task; absent if there is none. */
  readonly sessionId?: string;
  readonly profile: TaskProfile;
  readonly call: TaskCall;
  /** The process that is responsible for the task; absent while the task waits in a durable queue. */
  readonly worker?: string;
  /** The pending input requests. */
  readonly inputRequests: { readonly [key: string]: InputRequest };
  /** The client's responses to input requests. */
  readonly inputResponses: { readonly [key: string]: unknown };
  /** The call's result; only if `completed`. */
  readonly result?: OpenObject;
  /** The call's error; only if `failed`. */
  readonly error?: JsonRpcErrorObject;
}

/** Selects the tasks that a client may list. */
export interface TaskSelection {
  readonly owner?: string;
  /** Used if the owner is unknown. */
  readonly sessionId?: string;
  /**
   * The scopes of the caller's token. A store may use them to skip tasks with other `scopes`, which the server never
   * shows.
   * @default no task is skipped
   */
  readonly scopes?: readonly string[];
  /** The previous page's last task, which may no longer exist. Absent for the first page. */
  readonly after?: Pick<TaskRecord, 'createdAt' | 'taskId'>;
  readonly limit: number;
}

/** Tracks which processes are alive. Needed if processes share a store, or the store outlives them. */
export interface TaskWorkers {
  /**
   * Records that a process is alive until a time, in milliseconds since 1970. It may return `false` if earlier
   * records are lost; in that case, no process counts as gone for a while.
   */
  renew(worker: string, until: number): Promise<boolean | void>;
  /** Returns the processes that are alive at a time. */
  list(now: number): Promise<readonly string[]>;
}

/**
 * Stores tasks. A task is durable when `create` resolves.
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
  /**
   * @param address an anonymous owner's address, toward which the task counts; absent if it is unknown or the owner
   * has a token
   */
  create(record: TaskRecord, address?: string): Promise<void>;
  find(taskId: string): Promise<TaskRecord | undefined>;
  /** Replaces a task if the stored version is one less than the record's. Returns whether it did. */
  replace(record: TaskRecord): Promise<boolean>;
  /** Returns tasks in order of `createdAt`, then `taskId`. */
  list(selection: TaskSelection): Promise<readonly TaskRecord[]>;
  /** Returns the tasks that are not finished. */
  listOpen(): Promise<readonly TaskRecord[]>;
  /** Removes the tasks that expired before a time, in milliseconds since 1970. */
  removeExpired(before: number): Promise<void>;
  /** Needed if tasks outlive the process, so that ended processes' tasks fail. @default they do not */
  readonly workers?: TaskWorkers;
  /**
   * Needed if several processes share the store. Reports other processes' changes. Returns a function that
   * unsubscribes. @default other processes' changes are not reported
   */
  watch?(changed: (taskId: string) => void): () => void;
}
