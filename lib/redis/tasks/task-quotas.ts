import type { TaskRecord } from '../../server/settings/extensions/task-store.interface.js';
import type { QuotaSettings } from '../settings/quota-options.js';
import type { TaskKeys } from './task-keys.js';

/** The bounds of quotas. */
export interface TaskQuotaBounds extends QuotaSettings {
  /** Tasks of one caller with a token, or of the callers without one at one address. */
  readonly maxTasksPerCaller: number;
}

/** Bytes of Redis that a task takes besides its text: its key, and its places in lists. */
const TASK_BYTES = 1024;

/** What the end of a task takes at most that brings no result: it must find room when nothing else does. */
const END_BYTES = 3072;

/** The share of callers with a token, who share with nobody. */
const WHOLE = '-';

/** The quota that counts a task, with the bytes of the task and the bounds. */
export interface TaskQuota {
  readonly keys: readonly string[];
  /** The arguments of the script that writes a task. */
  readonly values: readonly string[];
}

/** Knows which quota counts a task: one for each caller with a token, and one for all others together. */
export class TaskQuotas {
  constructor(
    private readonly keys: TaskKeys,
    private readonly bounds: TaskQuotaBounds,
  ) {}

  /** Returns the quota of a task. The share counts if the task is written for the first time. */
  find(record: TaskRecord, text: string, isOpen: boolean, address?: string): TaskQuota {
    const { maxBytesPerCaller, maxAnonymousBytes, maxBytesPerAddress, maxTasksPerCaller } = this.bounds;
    const bytes = TASK_BYTES + Buffer.byteLength(text) + (isOpen ? END_BYTES : 0);
    const isKnown = record.owner !== undefined;
    const [ofShare, ofAll] = isKnown
      ? [maxBytesPerCaller, maxBytesPerCaller]
      : [maxBytesPerAddress, maxAnonymousBytes];
    return {
      keys: this.keys.quota(isKnown ? this.keys.nameLists(record)[0] : undefined),
      values: [
        `${bytes}`,
        isKnown ? WHOLE : this.#nameShare(record, address),
        `${ofShare}`,
        `${ofAll}`,
        `${maxTasksPerCaller}`,
      ],
    };
  }

  /** Returns the keys of the quotas that may count a task of a list. */
  list(list: string): readonly string[] {
    return [...this.keys.quota(list), ...this.keys.quota()];
  }

  /** All callers at one address have one share. If no address is known, each session has one. */
  #nameShare(record: TaskRecord, address: string | undefined): string {
    return address === undefined ? this.keys.nameLists(record)[0] : this.keys.nameAddress(address);
  }
}
