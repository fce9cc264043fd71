import { inTime } from '../../../../core/waiting/in-time.js';
import type {
  TaskHolders,
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../../settings/extensions/task-store.interface.js';
import { TaskStoreFullError } from '../../../settings/extensions/task-store-full.error.js';
import { TaskStoreUnavailableError } from '../../../settings/extensions/task-store-unavailable.error.js';
import { TasksFullError } from './tasks-full.error.js';
import { TasksUnavailableError } from './tasks-unavailable.error.js';

/** Waits for a store so long and no longer: one that never answers keeps neither callers nor further changes waiting. */
export class TimedTaskStore implements TaskStore {
  readonly holders?: TaskHolders;
  readonly watch?: NonNullable<TaskStore['watch']>;

  constructor(
    private readonly store: TaskStore,
    private readonly timeoutMs: number,
  ) {
    const { holders } = store;
    if (holders !== undefined) this.holders = this.#limit(holders);
    if (store.watch !== undefined) this.watch = (changed) => store.watch?.(changed) ?? (() => undefined);
  }

  create(record: TaskRecord, address?: string): Promise<void> {
    return this.#wait(this.store.create(record, address));
  }

  find(taskId: string): Promise<TaskRecord | undefined> {
    return this.#wait(this.store.find(taskId));
  }

  replace(record: TaskRecord): Promise<boolean> {
    return this.#wait(this.store.replace(record));
  }

  list(selection: TaskSelection): Promise<readonly TaskRecord[]> {
    return this.#wait(this.store.list(selection));
  }

  listOpen(): Promise<readonly TaskRecord[]> {
    return this.#wait(this.store.listOpen());
  }

  removeExpired(before: number): Promise<void> {
    return this.#wait(this.store.removeExpired(before));
  }

  #limit(holders: TaskHolders): TaskHolders {
    return {
      renew: (holder, until) => this.#wait(holders.renew(holder, until)),
      list: (now) => this.#wait(holders.list(now)),
    };
  }

  async #wait<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await inTime(work, this.timeoutMs, () => new TasksUnavailableError());
    } catch (error) {
      if (error instanceof TaskStoreUnavailableError) throw new TasksUnavailableError({ cause: error });
      if (error instanceof TaskStoreFullError) throw new TasksFullError(error);
      throw error;
    }
  }
}
