import type { Encoded } from '../../../../core/protocol/encoding/encode-definition.js';
import { TASKS_EXTENSION } from '../../../../core/protocol/meta-keys.js';
import { isObject } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type {
  TaskRecord,
  TaskProfile,
  TaskSelection,
} from '../../../settings/extensions/task-store.interface.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import { isOver } from '../ledger/task-changes.js';
import type { ExtensionLink } from '../extension-link.js';

/** Encodes tasks for one profile. */
interface TaskEncoder {
  /** Encodes the response to a call that became a task. */
  encodeCreated(record: TaskRecord): Encoded;
  /** Encodes a task as clients see it. */
  encodeTask(record: TaskRecord): Encoded;
  /** Whether cancelling a finished task is an error. @default false */
  readonly refusesToCancelTwice?: boolean;
  /** Encodes the response to a cancellation. */
  encodeCancelled(record: TaskRecord): Encoded;
}

/** The encoders for the task profiles. */
export class TaskEncoders {
  readonly #encoders: Readonly<Record<TaskProfile, TaskEncoder>>;

  constructor(signer: TaskSigner) {
    this.#encoders = {
      published: PUBLISHED_ENCODER,
      core: CORE_ENCODER,
      service: createServiceEncoder((record) => signer.formatState(record)),
    };
  }

  /** Returns the encoder for the client that created the task. */
  get({ profile }: TaskRecord): TaskEncoder {
    return this.#encoders[profile];
  }

  /**
   * Returns the encoder for a request. The request's revision and extensions take precedence over the task's profile.
   */
  getFor({ profile }: TaskRecord, context: ExtensionContext): TaskEncoder {
    const { kind, defines } = context.revision;
    if (kind === 'perRequest') return this.#encoders.published;
    if (!context.hasExtension(TASKS_EXTENSION)) return this.#encoders.core;
    return this.#encoders[profile === 'core' && defines.tasksCapability ? 'core' : 'service'];
  }
}

/**
 * Tasks of the published extension.
 *
 * @see MCP extension tasks, "Tasks"
 */
export const PUBLISHED_ENCODER: TaskEncoder = {
  encodeCreated: (record) => ({ resultType: 'task', ...encodeFields(record) }),
  encodeTask: (record) => ({ ...encodeFields(record), ...encodeDetails(record) }),
  encodeCancelled: () => ({}),
};

/** Encodes the properties of every task. */
function encodeFields(record: TaskRecord): Encoded {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = record;
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs,
  };
}

/** Encodes the status-dependent properties. */
function encodeDetails({ status, result, error, inputRequests }: TaskRecord): Encoded {
  if (status === 'input_required') return { inputRequests };
  if (status === 'completed') return { result };
  return status === 'failed' ? { error } : {};
}

/**
 * Tasks of the 2025-11-25 specification.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks
 */
export const CORE_ENCODER: TaskEncoder = {
  encodeCreated: (record) => ({ task: encodeCoreTask(record) }),
  encodeTask: encodeCoreTask,
  refusesToCancelTwice: true,
  encodeCancelled: encodeCoreTask,
};

function encodeCoreTask(record: TaskRecord): Encoded {
  const { taskId, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = record;
  return {
    taskId,
    status: hasFailed(record) ? 'failed' : record.status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: ttlMs,
    pollInterval: pollIntervalMs,
  };
}

/** Only 2025-11-25 reports a tool result with `isError` as a failed task. */
function hasFailed({ result }: TaskRecord): boolean {
  return result?.['isError'] === true;
}

/** Signs the state that a client returns with its next poll. */
type SignTaskState = (record: TaskRecord) => string;

/** Tasks of sessions that declared the extension. Each message contains the whole task. */
export function createServiceEncoder(sign: SignTaskState): TaskEncoder {
  const encodeTask = (record: TaskRecord): Encoded => ({
    ...encodeFields(record),
    ...(record.status === 'working' && { status: 'running' }),
    ...(isOver(record) && { completedAt: record.lastUpdatedAt }),
    ...encodeDetails(record),
    ...(record.result && { result: { resultType: 'complete', ...record.result } }),
    requestState: sign(record),
  });
  return {
    encodeCreated: (record) => ({ resultType: 'task', ...encodeTask(record) }),
    encodeTask,
    encodeCancelled: () => ({}),
  };
}

/** Signs the task state and list cursors that clients return. */
export class TaskSigner {
  constructor(private readonly link: ExtensionLink) {}

  /** Signs the state that a client returns with its next poll. */
  formatState({ taskId, version }: TaskRecord): string {
    return this.link.handle.sign({ taskId, version });
  }

  /**
   * Checks the state that a client returned.
   *
   * @throws {McpError} -32602 if this server did not sign it for the task
   */
  assertState(taskId: string, state: unknown): void {
    if (state === undefined) return;
    const opened = this.#open(state);
    if (isObject(opened) && opened['taskId'] === taskId) return;
    throw McpError.invalidParams('"requestState" was not issued by this server for the task');
  }

  /** Returns the cursor after a task. */
  formatCursor({ createdAt, taskId }: TaskRecord): string {
    return this.link.handle.sign({ after: { createdAt, taskId } });
  }

  /**
   * Parses a cursor.
   *
   * @throws {McpError} -32602 if this server did not sign it
   */
  parseCursor(cursor: unknown): Pick<TaskSelection, 'after'> {
    if (cursor === undefined) return {};
    const opened = this.#open(cursor);
    if (isObject(opened) && isObject(opened['after'])) return opened;
    throw McpError.invalidParams('"cursor" was not issued by this server');
  }

  #open(sealed: unknown): unknown {
    return typeof sealed === 'string' ? this.link.handle.verify(sealed) : undefined;
  }
}
