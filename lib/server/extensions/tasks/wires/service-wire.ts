import type { Encoded } from '../../../../core/protocol/encoding/encode-definition.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { isOver } from '../ledger/task-changes.js';
import { encodeDetails, encodeFields } from './published-wire.js';
import type { TaskWire } from './task-wire.interface.js';

/** Signs what a client is to bring back with its next look at a task. */
export type SealTaskState = (record: TaskRecord) => string;

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
