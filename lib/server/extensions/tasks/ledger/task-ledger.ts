import { LRUCache } from 'lru-cache';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';
import { inTime } from '../../../../core/waiting/in-time.js';
import { Turns } from '../../../../core/waiting/turns.js';
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
import { TaskNews } from './task-broadcast.js';
import { TasksFullError, TasksUnavailableError } from './tasks.error.js';

/** Waits for a store so long and no longer: one that never answers keeps neither callers nor further changes waiting. */
class TimedTaskStore implements TaskStore {
  readonly workers?: TaskWorkers;
  readonly watch?: NonNullable<TaskStore['watch']>;

  constructor(
    private readonly store: TaskStore,
    private readonly timeoutMs: number,
  ) {
    const { workers: holders } = store;
    if (holders !== undefined) this.workers = this.#limit(holders);
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

  #limit(holders: TaskWorkers): TaskWorkers {
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

/** Changes that other processes make to the same task in between are tried again over, so often. */
const MOST_ATTEMPTS = 20;

/** The most tasks whose last announcement is remembered. */
const MOST_REMEMBERED = 10_000;

/** Is above every version: nothing follows the end of a task. */
const OVER = Number.POSITIVE_INFINITY;

/** The version of each task, by its id. */
type Versions = LRUCache<string, number>;

/** All tasks: what is written here is stored first and told then, each change in its turn. */
export class TaskLedger implements OnApplicationShutdown {
  readonly #store: TaskStore;
  readonly #changes = new Subject<TaskRecord>();
  readonly #turns = new Turns();
  /** The last version of each task that was told; room for all of them is taken with the first. */
  #told: Versions | undefined;
  /** The newest version of each task that is known here, or that it is over. A shared store may be made to forget both. */
  #newest: Versions | undefined;
  /** Versions that the store may have taken, although it failed to say so. */
  #unsure: Versions | undefined;
  readonly #ownChanges = new Subject<TaskRecord>();
  readonly #news: TaskNews;
  readonly #stopWatching: (() => void) | undefined;

  constructor(
    settings: TasksSettings,
    memory?: MemoryBudget,
    private readonly bus: ClusterBus = new LocalBus(),
  ) {
    this.#store = createStore(settings, memory);
    this.#news = new TaskNews({
      bus,
      look: (taskId) => this.#look(taskId),
      isTold: (taskId, version) => this.#isTold(taskId, version),
      note: (taskId, version, isEnd) => this.#note(taskId, isEnd ? OVER : version),
    });
    // The processes of a server inform each other, and read only the tasks that they follow.
    if (bus.isShared) return;
    this.#stopWatching = this.#store.watch?.((taskId) => void this.#look(taskId).catch(() => undefined));
  }

  onApplicationShutdown(): void {
    this.#stopWatching?.();
    this.#news.close();
    this.#changes.complete();
    this.#ownChanges.complete();
  }

  /** Emits a task each time it begins or changes. Changes by other processes are emitted only if the task is followed. */
  get changes$(): Observable<TaskRecord> {
    return this.#changes.asObservable();
  }

  /** Whether tasks are kept elsewhere than in memory. */
  get isStored(): boolean {
    return this.#store instanceof TimedTaskStore;
  }

  /** Emits each task that begins or changes, wherever that is. */
  get allChanges$(): Observable<TaskRecord> {
    return new Observable((observer) => {
      observer.add(this.#news.followAll());
      observer.add(this.#changes.subscribe(observer));
    });
  }

  /** Emits the changes that this process has to announce to clients: only its own, if other processes of the server announce theirs. */
  get ownChanges$(): Observable<TaskRecord> {
    return this.bus.isShared ? this.#ownChanges.asObservable() : this.changes$;
  }

  /** Emits each task that this process begins or changes. */
  get madeHere$(): Observable<TaskRecord> {
    return this.#ownChanges.asObservable();
  }

  /** Subscribes to changes of a task by any process. Returns a function that ends this. */
  follow(taskId: string): () => void {
    return this.#news.follow(taskId);
  }

  get holders(): TaskStore['workers'] {
    return this.#store.workers;
  }

  /**
   * Begins a task; it can be found by everybody once this resolves.
   *
   * @param address the address of an owner without a token. Limits count it
   */
  async create(record: TaskRecord, address?: string): Promise<void> {
    await this.#store.create(record, address);
    this.#tellOwn(record);
  }

  /** Finds a task that has not expired. An expired task that is not over ends now, so that a poll shows it. */
  async find(taskId: string): Promise<TaskRecord | undefined> {
    const record = await this.#find(taskId);
    if (record === undefined || record.expires >= Date.now()) return record;
    return isOver(record) ? undefined : this.change(taskId, expire);
  }

  /**
   * Looks whether the store answers.
   *
   * @throws {Error} what the store throws
   */
  async look(): Promise<void> {
    await this.#store.find('health');
  }

  async list(selection: TaskSelection): Promise<readonly TaskRecord[]> {
    return (await this.#store.list(selection)).filter((record) => !this.#isRevived(record));
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    return (await this.#store.listOpen()).filter((record) => !this.#isRevived(record));
  }

  /** Tells whether a newer version of a task is known than its store has. Its call was made already. */
  isSuperseded(record: TaskRecord): boolean {
    return !isOver(record) && record.version < (this.#newest?.get(record.taskId) ?? 0);
  }

  /** Removes the tasks that expired before a time, in milliseconds of the epoch. */
  removeExpired(before: number): Promise<void> {
    return this.#store.removeExpired(before);
  }

  /** Changes a task that is not over, and returns its new state. Returns `undefined` if there is none. */
  change(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    return this.#turns.take(taskId, () => this.#apply(taskId, change));
  }

  async #apply(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const record = await this.#find(taskId);
      if (record === undefined) return undefined;
      const changed = isOver(record) ? undefined : change(record);
      if (changed === undefined) {
        // A store may take a change and fail to say so: changes that were not told are told now.
        if (this.#unsure?.get(taskId) === record.version) this.#tellOwn(record);
        else this.#tell(record);
        return record;
      }
      const lastUpdatedAt = new Date().toISOString();
      const next: TaskRecord = { ...changed, version: record.version + 1, lastUpdatedAt };
      if (await this.#replace(next)) {
        this.#tellOwn(next);
        return next;
      }
    }
    throw new Error('The task is being changed by others again and again');
  }

  async #replace(record: TaskRecord): Promise<boolean> {
    const { taskId, version } = record;
    try {
      return await this.#store.replace(record);
    } catch (error) {
      this.#unsure ??= new LRUCache({ max: MOST_REMEMBERED });
      this.#unsure.set(taskId, version);
      throw error;
    }
  }

  /** Tells about what another process changed. */
  async #look(taskId: string): Promise<void> {
    const record = await this.#find(taskId);
    if (record !== undefined) this.#tell(record);
  }

  async #find(taskId: string): Promise<TaskRecord | undefined> {
    const record = await this.#store.find(taskId);
    return record === undefined || this.#isRevived(record) ? undefined : record;
  }

  /** Tells whether a task is open in its store that is known to be over: somebody else has put it back. */
  #isRevived(record: TaskRecord): boolean {
    return !isOver(record) && this.#newest?.get(record.taskId) === OVER;
  }

  #note(taskId: string, version: number): void {
    if (!this.isStored) return;
    this.#newest ??= new LRUCache({ max: MOST_REMEMBERED });
    if (version > (this.#newest.get(taskId) ?? 0)) this.#newest.set(taskId, version);
  }

  #tellOwn(record: TaskRecord): void {
    if (!this.#tell(record)) return;
    this.#ownChanges.next(record);
    this.#news.tell(record);
  }

  /** Ignores a change that arrives late or twice. Tells whether the change was new. */
  #tell(record: TaskRecord): boolean {
    const { taskId, version } = record;
    this.#note(taskId, isOver(record) ? OVER : version);
    if (this.#isTold(taskId, version)) return false;
    this.#told ??= new LRUCache({ max: MOST_REMEMBERED });
    this.#told.set(taskId, version);
    this.#changes.next(record);
    return true;
  }

  #isTold(taskId: string, version: number): boolean {
    return version <= (this.#told?.get(taskId) ?? 0);
  }
}

function createStore(settings: TasksSettings, memory: MemoryBudget | undefined): TaskStore {
  const { store, storeTimeoutMs, maxTasks: all, maxTasksPerCaller: perOwner } = settings;
  return store === undefined
    ? new MemoryTaskStore({ all, perOwner }, memory)
    : new TimedTaskStore(store, storeTimeoutMs);
}
