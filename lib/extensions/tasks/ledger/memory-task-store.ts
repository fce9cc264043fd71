import type { TaskRecord, TaskSelection, TaskStore } from '../../../settings/task-store.interface.js';
import { isOver } from './task-changes.js';

/** Keeps tasks in this process: they are gone with it. */
export class MemoryTaskStore implements TaskStore {
  readonly #records = new Map<string, TaskRecord>();

  async create(record: TaskRecord): Promise<void> {
    this.#records.set(record.taskId, record);
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    return this.#records.get(taskId);
  }

  async replace(record: TaskRecord): Promise<boolean> {
    if (this.#records.get(record.taskId)?.version !== record.version - 1) return false;
    this.#records.set(record.taskId, record);
    return true;
  }

  async list({ owner, sessionId, after, limit }: TaskSelection): Promise<readonly TaskRecord[]> {
    const own = [...this.#records.values()].filter((record) =>
      owner === undefined
        ? record.owner === undefined && record.sessionId === sessionId
        : record.owner === owner,
    );
    const first = after === undefined ? 0 : own.findIndex(({ taskId }) => taskId === after) + 1;
    return own.slice(first, first + limit);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    return [...this.#records.values()].filter((record) => !isOver(record));
  }

  async removeExpired(before: number): Promise<void> {
    for (const { taskId, expires } of this.#records.values()) {
      if (expires < before) this.#records.delete(taskId);
    }
  }
}
