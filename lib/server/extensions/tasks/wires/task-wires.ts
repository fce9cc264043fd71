import type { Encoded } from '../../../../core/protocol/encoding/encode-definition.js';
import { TASKS_EXTENSION } from '../../../../core/protocol/extension-ids.js';
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

/** How one of the protocol's ways shows tasks. */
interface TaskWire {
  /** Gives the answer to the call that became a task. */
  encodeCreated(record: TaskRecord): Encoded;
  /** Returns the task as clients see it. */
  encodeTask(record: TaskRecord): Encoded;
  /** Whether a task that is over cannot be cancelled. @default false */
  readonly refusesToCancelTwice?: boolean;
  /** Gives the answer to a cancellation. */
  encodeCancelled(record: TaskRecord): Encoded;
}

/** The ways in which clients see tasks. */
export class TaskWires {
  readonly #wires: Readonly<Record<TaskProfile, TaskWire>>;

  constructor(seals: TaskSeals) {
    this.#wires = {
      published: PUBLISHED_WIRE,
      core: CORE_WIRE,
      service: createServiceWire((record) => seals.formatState(record)),
    };
  }

  /** Returns the way in which the task's own client sees it. */
  get({ profile }: TaskRecord): TaskWire {
    return this.#wires[profile];
  }

  /** Returns the form in which a requester sees a task. The request decides first, and then the way in which the task was created. */
  getFor({ profile }: TaskRecord, context: ExtensionContext): TaskWire {
    const { kind, defines } = context.revision;
    if (kind === 'perRequest') return this.#wires.published;
    if (!context.hasExtension(TASKS_EXTENSION)) return this.#wires.core;
    return this.#wires[profile === 'core' && defines.tasksCapability ? 'core' : 'service'];
  }
}

/**
 * Tasks as the published extension has them.
 *
 * @see MCP extension tasks, "Tasks"
 */
export const PUBLISHED_WIRE: TaskWire = {
  encodeCreated: (record) => ({ resultType: 'task', ...encodeFields(record) }),
  encodeTask: (record) => ({ ...encodeFields(record), ...encodeDetails(record) }),
  encodeCancelled: () => ({}),
};

/** Encodes what every task has. */
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

/** Encodes what a task has in its status. */
function encodeDetails({ status, result, error, inputRequests }: TaskRecord): Encoded {
  if (status === 'input_required') return { inputRequests };
  if (status === 'completed') return { result };
  return status === 'failed' ? { error } : {};
}

/**
 * Tasks as the revision of 2025-11-25 has them.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks
 */
export const CORE_WIRE: TaskWire = {
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

/** A tool that says of itself that it failed has failed here, and nowhere else. */
function hasFailed({ result }: TaskRecord): boolean {
  return result?.['isError'] === true;
}

/** Signs what a client is to bring back with its next look at a task. */
type SealTaskState = (record: TaskRecord) => string;

/** Tasks as sessions have them that declared the extension: all there is to know of a task is in each of its messages. */
export function createServiceWire(seal: SealTaskState): TaskWire {
  const encodeTask = (record: TaskRecord): Encoded => ({
    ...encodeFields(record),
    ...(record.status === 'working' && { status: 'running' }),
    ...(isOver(record) && { completedAt: record.lastUpdatedAt }),
    ...encodeDetails(record),
    ...(record.result && { result: { resultType: 'complete', ...record.result } }),
    requestState: seal(record),
  });
  return {
    encodeCreated: (record) => ({ resultType: 'task', ...encodeTask(record) }),
    encodeTask,
    encodeCancelled: () => ({}),
  };
}

/** What clients carry for the server: signed, and good for nothing else. */
export class TaskSeals {
  constructor(private readonly link: ExtensionLink) {}

  /** Gives what a client is to bring back with its next look at a task. */
  formatState({ taskId, version }: TaskRecord): string {
    return this.link.handle.sign({ taskId, version });
  }

  /**
   * Checks what a client brought back from its last look at a task.
   *
   * @throws {McpError} -32602 if it was not made here, or for another task
   */
  assertState(taskId: string, state: unknown): void {
    if (state === undefined) return;
    const opened = this.#open(state);
    if (isObject(opened) && opened['taskId'] === taskId) return;
    throw McpError.invalidParams('"requestState" is not one that this server gave for the task');
  }

  /** Returns the cursor behind a task. */
  formatCursor({ createdAt, taskId }: TaskRecord): string {
    return this.link.handle.sign({ after: { createdAt, taskId } });
  }

  /**
   * Reads a cursor.
   *
   * @throws {McpError} -32602 if it was not made here
   */
  parseCursor(cursor: unknown): Pick<TaskSelection, 'after'> {
    if (cursor === undefined) return {};
    const opened = this.#open(cursor);
    if (isObject(opened) && isObject(opened['after'])) return opened;
    throw McpError.invalidParams('"cursor" is not one that this server gave');
  }

  #open(sealed: unknown): unknown {
    return typeof sealed === 'string' ? this.link.handle.verify(sealed) : undefined;
  }
}
