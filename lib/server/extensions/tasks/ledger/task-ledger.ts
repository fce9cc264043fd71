import { LRUCache } from 'lru-cache';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';
import { withTimeout } from '../../../../core/async/timeouts.js';
import { KeyedMutex } from '../../../../core/async/concurrency.js';
import type { MemoryBudget } from '../../../memory/memory-budget.js';
import { LocalBus } from '../../../cluster/local-bus.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import {
  TaskStoreFullError,
  TaskStoreUnavailableError,
} from '../../../settings/extensions/task-store.error.js';
import type {
  TaskWorkers,
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../../settings/extensions/task-store.interface.js';
import type { TasksSettings } from '../../../settings/extensions/tasks-options.js';
import { MemoryTaskStore } from './memory-task-store.js';
import { expire, isOver, type TaskChange } from './task-changes.js';
import { TaskBroadcast } from './task-broadcast.js';
import { TasksFullError, TasksUnavailableError } from './tasks.error.js';

/** The time limit for a store operation. Without it, a hanging store would block callers and later changes. */
class TimedTaskStore implements TaskStore {
  readonly workers?: TaskWorkers;
  readonly watch?: NonNullable<TaskStore['watch']>;

  constructor(
    private readonly store: TaskStore,
    private readonly timeoutMs: number,
  ) {
    const { workers } = store;
    if (workers !== undefined) this.workers = this.#limit(workers);
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

  #limit(workers: TaskWorkers): TaskWorkers {
    return {
      renew: (worker, until) => this.#wait(workers.renew(worker, until)),
      list: (now) => this.#wait(workers.list(now)),
    };
  }

  async #wait<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await withTimeout(work, this.timeoutMs, () => new TasksUnavailableError());
    } catch (error) {
      if (error instanceof TaskStoreUnavailableError) throw new TasksUnavailableError({ cause: error });
      if (error instanceof TaskStoreFullError) throw new TasksFullError(error);
      throw error;
    }
  }
}

/** The number of attempts at a change that conflicts with other processes' changes to the same task. */
const MAX_ATTEMPTS = 20;

/** The maximum number of tasks whose last published version is remembered. */
const MAX_VERSIONS = 10_000;

/** Higher than any version, because a finished task no longer changes. */
const OVER = Number.POSITIVE_INFINITY;

/** Each task's version, by its id. */
type Versions = LRUCache<string, number>;

/** All of a server's tasks. A change is stored first and then published, one change per task at a time. */
export class TaskLedger implements OnApplicationShutdown {
  readonly #store: TaskStore;
  readonly #changes = new Subject<TaskRecord>();
  readonly #turns = new KeyedMutex();
  /** Each task's last published version. Created with the first task, because it allocates its full size. */
  #published: Versions | undefined;
  /** Each task's newest known version, or {@link OVER}. A shared store may be restored to an older state. */
  #newest: Versions | undefined;
  /** Versions that the store may have written despite reporting a failure. */
  #unconfirmed: Versions | undefined;
  readonly #localChanges = new Subject<TaskRecord>();
  readonly #broadcast: TaskBroadcast;
  readonly #stopWatching: (() => void) | undefined;

  constructor(
    settings: TasksSettings,
    memory?: MemoryBudget,
    private readonly bus: ClusterBus = new LocalBus(),
  ) {
    this.#store = createStore(settings, memory);
    this.#broadcast = new TaskBroadcast({
      bus,
      refresh: (taskId) => this.#refresh(taskId),
      isPublished: (taskId, version) => this.#isPublished(taskId, version),
      note: (taskId, version, isEnd) => this.#note(taskId, isEnd ? OVER : version),
    });
    // In a cluster, processes notify each other and read only the tasks that they follow.
    if (bus.isShared) return;
    this.#stopWatching = this.#store.watch?.((taskId) => void this.#refresh(taskId).catch(() => undefined));
  }

  onApplicationShutdown(): void {
    this.#stopWatching?.();
    this.#broadcast.close();
    this.#changes.complete();
    this.#localChanges.complete();
  }

  /** Emits each new or changed task. Changes by other processes are emitted only if the task is followed. */
  get changes$(): Observable<TaskRecord> {
    return this.#changes.asObservable();
  }

  /** Whether tasks are stored outside of memory. */
  get isStored(): boolean {
    return this.#store instanceof TimedTaskStore;
  }

  /** Emits each new or changed task from any process. */
  get allChanges$(): Observable<TaskRecord> {
    return new Observable((observer) => {
      observer.add(this.#broadcast.followAll());
      observer.add(this.#changes.subscribe(observer));
    });
  }

  /** Emits the changes that this process notifies clients of: in a cluster, only its own. */
  get changesToNotify$(): Observable<TaskRecord> {
    return this.bus.isShared ? this.#localChanges.asObservable() : this.changes$;
  }

  /** Emits each task that this process creates or changes. */
  get localChanges$(): Observable<TaskRecord> {
    return this.#localChanges.asObservable();
  }

  /** Subscribes to changes of a task by any process. Returns a function that unsubscribes. */
  follow(taskId: string): () => void {
    return this.#broadcast.follow(taskId);
  }

  get workers(): TaskStore['workers'] {
    return this.#store.workers;
  }

  /**
   * Stores a new task, which every process can find once this resolves.
   *
   * @param address an anonymous owner's address, to which limits apply
   */
  async create(record: TaskRecord, address?: string): Promise<void> {
    await this.#store.create(record, address);
    this.#publishLocal(record);
  }

  /** Finds a task that has not expired. An unfinished task that has expired fails now, so a poll reports it. */
  async find(taskId: string): Promise<TaskRecord | undefined> {
    const record = await this.#find(taskId);
    if (record === undefined || record.expires >= Date.now()) return record;
    return isOver(record) ? undefined : this.change(taskId, expire);
  }

  /**
   * Checks whether the store responds.
   *
   * @throws {Error} if the store fails
   */
  async checkHealth(): Promise<void> {
    await this.#store.find('health');
  }

  async list(selection: TaskSelection): Promise<readonly TaskRecord[]> {
    return (await this.#store.list(selection)).filter((record) => !this.#isRevived(record));
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    return (await this.#store.listOpen()).filter((record) => !this.#isRevived(record));
  }

  /** Returns whether a newer version of a task is known than the store contains. If so, its call has already run. */
  isSuperseded(record: TaskRecord): boolean {
    return !isOver(record) && record.version < (this.#newest?.get(record.taskId) ?? 0);
  }

  /** Removes the tasks that expired before a time, in milliseconds since 1970. */
  removeExpired(before: number): Promise<void> {
    return this.#store.removeExpired(before);
  }

  /** Changes an unfinished task and returns its current state. Returns `undefined` if it does not exist. */
  change(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    return this.#turns.run(taskId, () => this.#apply(taskId, change));
  }

  async #apply(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const record = await this.#find(taskId);
      if (record === undefined) return undefined;
      const changed = isOver(record) ? undefined : change(record);
      if (changed === undefined) {
        // The store may have written a change but reported a failure, so unpublished changes are published now.
        if (this.#unconfirmed?.get(taskId) === record.version) this.#publishLocal(record);
        else this.#publish(record);
        return record;
      }
      const lastUpdatedAt = new Date().toISOString();
      const next: TaskRecord = { ...changed, version: record.version + 1, lastUpdatedAt };
      if (await this.#replace(next)) {
        this.#publishLocal(next);
        return next;
      }
    }
    throw new Error('There are too many concurrent changes to the task');
  }

  async #replace(record: TaskRecord): Promise<boolean> {
    const { taskId, version } = record;
    try {
      return await this.#store.replace(record);
    } catch (error) {
      this.#unconfirmed ??= new LRUCache({ max: MAX_VERSIONS });
      this.#unconfirmed.set(taskId, version);
      throw error;
    }
  }

  /** Publishes another process's change here. */
  async #refresh(taskId: string): Promise<void> {
    const record = await this.#find(taskId);
    if (record !== undefined) this.#publish(record);
  }

  async #find(taskId: string): Promise<TaskRecord | undefined> {
    const record = await this.#store.find(taskId);
    return record === undefined || this.#isRevived(record) ? undefined : record;
  }

  /** Returns whether the store has an unfinished task that is known to be finished, such as after a restore. */
  #isRevived(record: TaskRecord): boolean {
    return !isOver(record) && this.#newest?.get(record.taskId) === OVER;
  }

  #note(taskId: string, version: number): void {
    if (!this.isStored) return;
    this.#newest ??= new LRUCache({ max: MAX_VERSIONS });
    if (version > (this.#newest.get(taskId) ?? 0)) this.#newest.set(taskId, version);
  }

  #publishLocal(record: TaskRecord): void {
    if (!this.#publish(record)) return;
    this.#localChanges.next(record);
    this.#broadcast.publish(record);
  }

  /** Emits a change unless it is late or repeated. Returns whether it was new. */
  #publish(record: TaskRecord): boolean {
    const { taskId, version } = record;
    this.#note(taskId, isOver(record) ? OVER : version);
    if (this.#isPublished(taskId, version)) return false;
    this.#published ??= new LRUCache({ max: MAX_VERSIONS });
    this.#published.set(taskId, version);
    this.#changes.next(record);
    return true;
  }

  #isPublished(taskId: string, version: number): boolean {
    return version <= (this.#published?.get(taskId) ?? 0);
  }
}

function createStore(settings: TasksSettings, memory: MemoryBudget | undefined): TaskStore {
  const { store, storeTimeoutMs, maxTasks: all, maxTasksPerCaller: perCaller } = settings;
  return store === undefined
    ? new MemoryTaskStore({ all, perCaller }, memory)
    : new TimedTaskStore(store, storeTimeoutMs);
}
