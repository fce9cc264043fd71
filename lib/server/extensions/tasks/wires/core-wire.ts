import type { Encoded } from '../../../../core/protocol/encoding/encode-definition.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { TaskWire } from './task-wire.interface.js';

/**
 * Tasks as the revision of 2025-11-25 has them.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks
 */
export const CORE_WIRE: TaskWire = {
  encodeCreated: (record) => ({ task: encodeTask(record) }),
  encodeTask,
  refusesToCancelTwice: true,
  encodeCancelled: encodeTask,
};

function encodeTask(record: TaskRecord): Encoded {
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
