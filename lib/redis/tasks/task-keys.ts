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
  /** The processes that live, by when that must be said again. */
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

  /** Where the tasks of an owner are, with those of the same caller's other keys, or of a session if nobody owns them, in the order of their creation. */
  list(owner: Owner): string {
    return this.listOf(nameList(owner));
  }

  listOf(name: string): string {
    return `${this.base}:tasks:of:${name}`;
  }
}

/** Owners and sessions may be long, and no business of who reads keys. Owners who differ by their keys alone have one list, and one bound. */
export function nameList({ owner, sessionId = '' }: Owner): string {
  const text = owner === undefined ? `session ${sessionId}` : `owner ${nameAccount(owner)}`;
  return createHash('sha256').update(text).digest('base64url');
}

/** Where a task stands in its list: texts in this order are in the order of `createdAt`, then of `taskId`. */
export function formatPlace({ createdAt, taskId }: Pick<TaskRecord, 'createdAt' | 'taskId'>): string {
  return `${createdAt}|${taskId}`;
}

/** Names a task with all that it takes to find what there is of it. */
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
