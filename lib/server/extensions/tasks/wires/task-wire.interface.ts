import type { Encoded } from '../../../../core/protocol/encoding/encode-definition.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';

/** How one of the protocol's ways shows tasks. */
export interface TaskWire {
  /** Gives the answer to the call that became a task. */
  encodeCreated(record: TaskRecord): Encoded;
  /** Returns the task as clients see it. */
  encodeTask(record: TaskRecord): Encoded;
  /** Whether a task that is over cannot be cancelled. @default false */
  readonly refusesToCancelTwice?: boolean;
  /** Gives the answer to a cancellation. */
  encodeCancelled(record: TaskRecord): Encoded;
}
