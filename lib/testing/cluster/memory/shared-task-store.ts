import { selectTasks } from '../../../core/protocol/select-tasks.js';
import {
  TaskStoreUnavailableError,
  type TaskHolders,
  type TaskRecord,
  type TaskSelection,
  type TaskStore,
} from '../../../index.js';

const FINAL: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Keeps tasks for the applications in one process that are one server. Tasks are text, so that no application changes what another has. */
export class SharedTaskStore implements TaskStore {
  readonly holders: TaskHolders;
  readonly #tasks = new Map<string, string>();
  readonly #lives = new Map<string, number>();

  /** @param isAway whether it is out of reach now */
  constructor(private readonly isAway: () => boolean) {
    this.holders = {
      renew: async (holder, until) => void this.#reach(this.#lives).set(holder, until),
      list: async (now) =>
        [...this.#reach(this.#lives)].filter(([, until]) => until >= now).map(([holder]) => holder),
    };
  }

  clear(): void {
    this.#tasks.clear();
    this.#lives.clear();
  }

  async create(record: TaskRecord): Promise<void> {
    this.#reach(this.#tasks).set(record.taskId, JSON.stringify(record));
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    const text = this.#reach(this.#tasks).get(taskId);
    return text === undefined ? undefined : (JSON.parse(text) as TaskRecord);
  }

  async replace(record: TaskRecord): Promise<boolean> {
    const known = await this.find(record.taskId);
    if (known?.version !== record.version - 1) return false;
    await this.create(record);
    return true;
  }

  async list(selection: TaskSelection): Promise<readonly TaskRecord[]> {
    return selectTasks(this.#readAll(), selection);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    return this.#readAll().filter(({ status }) => !FINAL.includes(status));
  }

  async removeExpired(before: number): Promise<void> {
    for (const { taskId, expires } of this.#readAll()) if (expires < before) this.#tasks.delete(taskId);
    for (const [holder, until] of this.#lives) if (until < before) this.#lives.delete(holder);
  }

  #reach<Kept>(kept: Kept): Kept {
    if (this.isAway()) throw new TaskStoreUnavailableError('The tasks are out of reach');
    return kept;
  }

  #readAll(): TaskRecord[] {
    return [...this.#reach(this.#tasks).values()].map((text) => JSON.parse(text) as TaskRecord);
  }
}
