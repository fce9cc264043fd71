import type { Encoded } from '../../../../core/protocol/encoding/encode-definition.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { TaskWire } from './task-wire.interface.js';

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
export function encodeFields(record: TaskRecord): Encoded {
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
export function encodeDetails({ status, result, error, inputRequests }: TaskRecord): Encoded {
  if (status === 'input_required') return { inputRequests };
  if (status === 'completed') return { result };
  return status === 'failed' ? { error } : {};
}
