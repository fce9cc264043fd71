import type {
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../../settings/extensions/task-store.interface.js';
import { EndedTasks, type EndedTaskBounds } from './ended-tasks.js';
import { isOver } from './task-changes.js';

/** Keeps tasks in this process: they are gone with it. */
export class MemoryTaskStore implements TaskStore {
  readonly #records = new Map<string, TaskRecord>();
  readonly #ended: EndedTasks;

  constructor({ all = 10_000, perOwner = all }: Partial<EndedTaskBounds> = {}) {
    this.#ended = new EndedTasks({ all, perOwner });
  }

  async create(record: TaskRecord): Promise<void> {
    this.#keep(record);
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    return this.#records.get(taskId);
  }

  async replace(record: TaskRecord): Promise<boolean> {
    if (this.#records.get(record.taskId)?.version !== record.version - 1) return false;
    this.#keep(record);
    return true;
  }

  async list({ owner, sessionId, scopes, after, limit }: TaskSelection): Promise<readonly TaskRecord[]> {
    return [...this.#records.values()]
      .filter((record) =>
        owner === undefined
          ? record.owner === undefined && record.sessionId === sessionId
          : record.owner === owner,
      )
      .filter((record) => !isBeyond(record, scopes))
      .filter((record) => after === undefined || compare(record, after) > 0)
      .toSorted(compare)
      .slice(0, limit);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    return [...this.#records.values()].filter((record) => !isOver(record));
  }

  async removeExpired(before: number): Promise<void> {
    for (const { taskId, expires } of this.#records.values()) {
      if (expires < before) this.#remove(taskId);
    }
  }

  #keep(record: TaskRecord): void {
    const { taskId } = record;
    this.#records.set(taskId, record);
    if (!isOver(record)) return;
    const surplus = this.#ended.add(record);
    if (surplus !== undefined) this.#remove(surplus);
  }

  #remove(taskId: string): void {
    const record = this.#records.get(taskId);
    if (record === undefined) return;
    this.#records.delete(taskId);
    this.#ended.remove(record);
  }
}

/** Tells whether a task requires more than some scopes. */
function isBeyond({ scopes }: TaskRecord, held: TaskSelection['scopes']): boolean {
  return held !== undefined && scopes?.some((scope) => !held.includes(scope)) === true;
}

type Position = NonNullable<TaskSelection['after']>;

/** Orders tasks by when they were created. */
function compare(one: Position, other: Position): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  if (one.taskId === other.taskId) return 0;
  return one.taskId < other.taskId ? -1 : 1;
}
