import type { ClientCapabilities, OpenObject } from '../../../core/protocol/capabilities.js';
import type { InputRequest } from '../../../core/protocol/input-requests.js';
import type { Implementation } from '../../../core/protocol/definitions.js';
import type { JsonRpcErrorObject, Params } from '../../../core/protocol/json-rpc.js';
import type { TransportKind } from '../transport-kind.js';

/** The status of a task. The last three are final (MCP extension tasks, "Task Status"). */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The protocol's form of tasks in which a task was created. */
export type TaskProfile = 'published' | 'core' | 'service';

/** The call of a task, with everything that another process needs to run it. */
export interface TaskCall {
  /** The protocol revision of the call. */
  readonly version: string;
  /** The parameters of `tools/call`; empty once the task is finished. */
  readonly params: Params;
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities };
  /** The claims of the caller's token. The token itself is not stored. */
  readonly authentication?: OpenObject;
  /** The transport of the call. Records of earlier versions lack it. */
  readonly transport?: TransportKind;
  /** The span of the request, to which the run is linked; absent if no span was recorded. */
  readonly trace?: { readonly [name: string]: string };
  /** Whether only the process that created the task can run it. */
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
  /** Milliseconds after creation after which the task may be removed. */
  readonly ttlMs: number;
  /** Milliseconds between two polls of the task. */
  readonly pollIntervalMs: number;
  /** When the record may be removed, in milliseconds since 1970. */
  readonly expires: number;
  /** Identifies the caller; absent if the caller is unknown. */
  readonly owner?: string;
  /**
   * Scopes that the call required. A token without them does not see the task. In records of earlier versions, which
   * lack this property, the tool's scopes apply.
   */
  readonly scopes?: readonly string[];
  /** The session that is notified of the task; absent if there is none. */
  readonly sessionId?: string;
  readonly profile: TaskProfile;
  readonly call: TaskCall;
  /** The process that is responsible for the task; absent while the task waits in a durable queue. */
  readonly worker?: string;
  /** The input requests that the client has not answered. */
  readonly inputRequests: { readonly [key: string]: InputRequest };
  /** The answers of the client. */
  readonly inputResponses: { readonly [key: string]: unknown };
  /** The result of the call; only in `completed`. */
  readonly result?: OpenObject;
  /** Why the call failed; only in `failed`. */
  readonly error?: JsonRpcErrorObject;
}

/** Selects the tasks that a client may list. */
export interface TaskSelection {
  readonly owner?: string;
  /** Used if the owner is unknown. */
  readonly sessionId?: string;
  /**
   * Scopes of the caller's token. A store may use them to skip tasks with other `scopes`, which the server never shows.
   * @default no task is skipped
   */
  readonly scopes?: readonly string[];
  /** The last task of the previous page, which may be gone. Absent for the first page. */
  readonly after?: Pick<TaskRecord, 'createdAt' | 'taskId'>;
  readonly limit: number;
}

/** Tracks which processes are alive. Needed if processes share a store, or the store outlives them. */
export interface TaskWorkers {
  /**
   * Notes that a process is alive until a time, in milliseconds since 1970. It may return `false` if earlier notes are
   * lost; then no process counts as gone for a while.
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
   * @param address the address of an anonymous owner, for which the task is counted; absent if it is unknown or the
   * owner has a token
   */
  create(record: TaskRecord, address?: string): Promise<void>;
  find(taskId: string): Promise<TaskRecord | undefined>;
  /** Replaces a task if the stored version is one less than the record's. Returns whether it did. */
  replace(record: TaskRecord): Promise<boolean>;
  /** Returns tasks in the order of `createdAt`, and then of `taskId`. */
  list(selection: TaskSelection): Promise<readonly TaskRecord[]>;
  /** Returns the tasks that are not finished. */
  listOpen(): Promise<readonly TaskRecord[]>;
  /** Removes the tasks that expired before a time, in milliseconds since 1970. */
  removeExpired(before: number): Promise<void>;
  /** Needed if tasks outlive the process, so that tasks of ended processes fail. @default they do not */
  readonly workers?: TaskWorkers;
  /**
   * Needed if several processes share the store. Reports changes by others. Returns a function that ends this. @default
   * no changes by others
   */
  watch?(changed: (taskId: string) => void): () => void;
}
