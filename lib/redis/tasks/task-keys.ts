import { createHash, createHmac } from 'node:crypto';
import type { Keyring } from '../../core/sealing/keyring.js';
import { nameAccount } from '../../server/memory/memory-account.js';
import type { TaskRecord } from '../../server/settings/extensions/task-store.interface.js';
import { listQuotaKeys } from '../member/redis-keys.js';
import type { QuotaSettings } from '../settings/redis-options.js';

/** The owner of a task list. */
type Owner = Pick<TaskRecord, 'owner' | 'sessionId'>;

/** The keys of a server's tasks. The hash tag in their base puts them in one Redis Cluster slot. */
export class TaskKeys {
  /** The tasks that are not finished, ordered by their expiry. */
  readonly open: string;
  /** All tasks, ordered by their expiry. Each entry names the position in a list. */
  readonly expiry: string;
  /** The live processes, ordered by the time when each is considered dead. */
  readonly workers: string;
  /** Task changes, for watchers. */
  readonly changes: string;

  readonly #listKeys: readonly Buffer[];

  constructor(
    private readonly base: string,
    keyring: Keyring,
  ) {
    this.#listKeys = keyring.derive('task list');
    this.open = `${base}:tasks:open`;
    this.expiry = `${base}:tasks:expiry`;
    this.workers = `${base}:tasks:workers`;
    this.changes = `${base}:tasks:changes`;
  }

  task(taskId: string): string {
    return `${this.base}:task:${taskId}`;
  }

  /**
   * Names an owner's list, or a session's list if the owner is unknown, using a digest: owners and sessions may be
   * long, and must not be recognizable without the secret. Owners that differ only in their keys share one list and
   * one quota.
   *
   * @returns the name for each secret. The first is used for new tasks
   */
  nameLists({ owner, sessionId = '' }: Owner): readonly [string, ...string[]] {
    const text = owner === undefined ? `session ${sessionId}` : `owner ${nameAccount(owner)}`;
    return this.#digest(text);
  }

  /** Names the share for the callers at one address. */
  nameAddress(address: string): string {
    return this.#digest(`address ${address}`)[0];
  }

  /** The key of a task list, in creation order. */
  listOf(name: string): string {
    return `${this.base}:tasks:of:${name}`;
  }

  /** The keys that count an owner's tasks, or all anonymous callers' tasks combined if no owner is given. */
  quota(owner?: string): readonly string[] {
    return listQuotaKeys(`${this.base}:tasks:quota:${owner ?? 'anonymous'}`);
  }

  #digest(text: string): readonly [string, ...string[]] {
    const digest = (key?: Buffer): string =>
      (key ? createHmac('sha256', key) : createHash('sha256')).update(text).digest('base64url');
    const [first, ...others] = this.#listKeys;
    return [digest(first), ...others.map((key) => digest(key))];
  }
}

/** Formats a task's position in its list. Sorted as strings, positions are ordered by `createdAt`, then `taskId`. */
export function formatPosition({ createdAt, taskId }: Pick<TaskRecord, 'createdAt' | 'taskId'>): string {
  return `${createdAt}|${taskId}`;
}

/** The parts of a task's name, which locate all its keys. */
export interface TaskName {
  /** Its entry in the set of all tasks. */
  readonly name: string;
  readonly list: string;
  readonly position: string;
  readonly taskId: string;
}

export function formatName({ list, position }: Pick<TaskName, 'list' | 'position'>): string {
  return `${list}|${position}`;
}

export function parseName(name: string): TaskName {
  const [list = '', createdAt = '', ...rest] = name.split('|');
  const taskId = rest.join('|');
  return { name, list, taskId, position: formatPosition({ createdAt, taskId }) };
}

/** The limits of quotas. */
interface TaskQuotaLimits extends QuotaSettings {
  /** The maximum number of tasks per caller with a token, or per address for anonymous callers. */
  readonly maxTasksPerCaller: number;
}

/** Bytes in Redis for a task in addition to its content: its key, and its entries in lists. */
const TASK_BYTES = 1024;

/**
 * The maximum number of bytes that ending a task without a result adds. They are reserved, so that a task can always
 * end.
 */
const END_BYTES = 3072;

/** The share of a caller with a token, who has a separate quota. */
const WHOLE = '-';

/** The quota that counts a task, with the task's bytes and the limits. */
interface TaskQuota {
  readonly keys: readonly string[];
  /** The arguments of the script that writes a task. */
  readonly values: readonly string[];
}

/** Finds the quota that counts a task: one for each caller with a token, and one for all anonymous callers together. */
export class TaskQuotas {
  constructor(
    private readonly keys: TaskKeys,
    private readonly limits: TaskQuotaLimits,
  ) {}

  /** Returns a task's quota. The share applies if the task is written for the first time. */
  find(record: TaskRecord, text: string, isOpen: boolean, address?: string): TaskQuota {
    const { maxBytesPerCaller, maxAnonymousBytes, maxBytesPerAddress, maxTasksPerCaller } = this.limits;
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

  /** Returns the keys of the quotas that may count a task in a list. */
  list(list: string): readonly string[] {
    return [...this.keys.quota(list), ...this.keys.quota()];
  }

  /** All callers at one address share one quota share. Without an address, each session has its own. */
  #nameShare(record: TaskRecord, address: string | undefined): string {
    return address === undefined ? this.keys.nameLists(record)[0] : this.keys.nameAddress(address);
  }
}
