import { createHash, createHmac } from 'node:crypto';
import type { Keyring } from '../../core/sealing/keyring.js';
import { nameAccount } from '../../server/memory/memory-account.js';
import type { TaskRecord } from '../../server/settings/extensions/task-store.interface.js';
import { listQuotaKeys } from '../member/redis-keys.js';
import type { QuotaSettings } from '../settings/redis-options.js';

/** Whose tasks are listed together. */
type Owner = Pick<TaskRecord, 'owner' | 'sessionId'>;

/** The keys of a server's tasks. They are in one slot of Redis Cluster if their base names it. */
export class TaskKeys {
  /** The tasks that are not finished, ordered by their expiry. */
  readonly open: string;
  /** All tasks, ordered by their expiry. Each entry names the place in a list. */
  readonly expiry: string;
  /** The living processes, ordered by the time until which each counts as alive. */
  readonly holders: string;
  /** The changes of tasks, for watchers. */
  readonly changes: string;

  readonly #listKeys: readonly Buffer[];

  constructor(
    private readonly base: string,
    keyring: Keyring,
  ) {
    this.#listKeys = keyring.derive('task list');
    this.open = `${base}:tasks:open`;
    this.expiry = `${base}:tasks:expiry`;
    this.holders = `${base}:tasks:holders`;
    this.changes = `${base}:tasks:changes`;
  }

  task(taskId: string): string {
    return `${this.base}:task:${taskId}`;
  }

  /**
   * Names the list of one owner, or of one session if the owner is unknown, by a digest. Owners and sessions may be long,
   * and without the secret nobody recognizes them. Owners that differ only by their keys share one list and one bound.
   *
   * @returns the name for each secret. The first is that of new tasks
   */
  nameLists({ owner, sessionId = '' }: Owner): readonly [string, ...string[]] {
    const text = owner === undefined ? `session ${sessionId}` : `owner ${nameAccount(owner)}`;
    return this.#digest(text);
  }

  /** Names what the callers at one address share. */
  nameAddress(address: string): string {
    return this.#digest(`address ${address}`)[0];
  }

  /** The key of a list of tasks, which are in the order of creation. */
  listOf(name: string): string {
    return `${this.base}:tasks:of:${name}`;
  }

  /** The keys that count what an owner has stored, or all callers without a token together if no owner is named. */
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

/** Formats the place of a task in its list. Sorted as text, places are in the order of `createdAt`, then of `taskId`. */
export function formatPlace({ createdAt, taskId }: Pick<TaskRecord, 'createdAt' | 'taskId'>): string {
  return `${createdAt}|${taskId}`;
}

/** What is needed to find all records of a task. */
export interface TaskName {
  /** Its entry among all tasks. */
  readonly name: string;
  readonly list: string;
  readonly place: string;
  readonly taskId: string;
}

export function formatName({ list, place }: Pick<TaskName, 'list' | 'place'>): string {
  return `${list}|${place}`;
}

export function parseName(name: string): TaskName {
  const [list = '', createdAt = '', ...rest] = name.split('|');
  const taskId = rest.join('|');
  return { name, list, taskId, place: formatPlace({ createdAt, taskId }) };
}

/** The bounds of quotas. */
interface TaskQuotaBounds extends QuotaSettings {
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
interface TaskQuota {
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
