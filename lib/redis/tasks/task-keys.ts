import { createHash } from 'node:crypto';
import { listQuotaKeys } from '../quota/list-quota-keys.js';
import { nameAccount } from '../../server/memory/name-account.js';
import type { TaskRecord } from '../../server/settings/extensions/task-store.interface.js';

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

  constructor(private readonly base: string) {
    this.open = `${base}:tasks:open`;
    this.expiry = `${base}:tasks:expiry`;
    this.holders = `${base}:tasks:holders`;
    this.changes = `${base}:tasks:changes`;
  }

  task(taskId: string): string {
    return `${this.base}:task:${taskId}`;
  }

  /** The key of the tasks of one owner, or of one session if they have no owner. The list is in the order of creation. */
  list(owner: Owner): string {
    return this.listOf(nameList(owner));
  }

  listOf(name: string): string {
    return `${this.base}:tasks:of:${name}`;
  }

  /** The keys that count what an owner has stored, or all callers without a token together if no owner is named. */
  quota(owner?: string): readonly string[] {
    return listQuotaKeys(`${this.base}:tasks:quota:${owner ?? 'anonymous'}`);
  }
}

/** Names a list by a hash: owners and sessions may be long, and keys should not show them. Owners that differ only by their keys share one list and one bound. */
export function nameList({ owner, sessionId = '' }: Owner): string {
  const text = owner === undefined ? `session ${sessionId}` : `owner ${nameAccount(owner)}`;
  return createHash('sha256').update(text).digest('base64url');
}

/** Formats the place of a task in its list. Sorted as text, places are in the order of `createdAt`, then of `taskId`. */
export function formatPlace({ createdAt, taskId }: Pick<TaskRecord, 'createdAt' | 'taskId'>): string {
  return `${createdAt}|${taskId}`;
}

/** What is needed to find all records of a task. */
export interface TaskName {
  readonly list: string;
  readonly place: string;
  readonly taskId: string;
}

export function formatName({ list, place }: Omit<TaskName, 'taskId'>): string {
  return `${list}|${place}`;
}

export function parseName(name: string): TaskName {
  const [list = '', createdAt = '', ...rest] = name.split('|');
  const taskId = rest.join('|');
  return { list, taskId, place: formatPlace({ createdAt, taskId }) };
}
