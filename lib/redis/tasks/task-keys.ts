import { createHash } from 'node:crypto';
import { nameAccount } from '../../server/memory/name-account.js';
import type { TaskRecord } from '../../server/settings/extensions/task-store.interface.js';

/** Whose tasks are listed together. */
type Owner = Pick<TaskRecord, 'owner' | 'sessionId'>;

/** The keys of the tasks of one server; in one slot of Redis Cluster if their base is. */
export class TaskKeys {
  /** The tasks that are not over, by when they expire. */
  readonly open: string;
  /** All tasks, by when they expire; each names where it is listed. */
  readonly expiry: string;
  /** The processes that live, by the time until which each must say so again. */
  readonly holders: string;
  /** Which tasks changed, for those who watch. */
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

  /** The key of a list of tasks, in the order of their creation: those of one caller, or those of one session if they have no owner. */
  list(owner: Owner): string {
    return this.listOf(nameList(owner));
  }

  listOf(name: string): string {
    return `${this.base}:tasks:of:${name}`;
  }
}

/** Hashes owners and sessions, which may be long, and which readers of keys need not know. Owners that differ only by their keys share one list and one bound. */
export function nameList({ owner, sessionId = '' }: Owner): string {
  const text = owner === undefined ? `session ${sessionId}` : `owner ${nameAccount(owner)}`;
  return createHash('sha256').update(text).digest('base64url');
}

/** Where a task stands in its list: texts in this order are in the order of `createdAt`, then of `taskId`. */
export function formatPlace({ createdAt, taskId }: Pick<TaskRecord, 'createdAt' | 'taskId'>): string {
  return `${createdAt}|${taskId}`;
}

/** Names a task by everything that is needed to find its records. */
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
