import { asserting, millisecondsOrNone, positive } from '../../../core/checks/option-checks.js';
import { optionGroup } from '../../../core/checks/option-group.js';
import { selectTasks } from '../../../core/protocol/select-tasks.js';
import {
  McpConfigurationError,
  TaskStoreUnavailableError,
  type Cluster,
  type ClusterConnection,
  type ClusterMember,
  type ClusterTaskStoreParts,
  type TaskWorkers,
  type TaskRecord,
  type TaskSelection,
  type TaskStore,
} from '../../../index.js';
import { MemoryConnection, MemoryStore } from './memory-connection.js';

const FINAL: readonly string[] = ['completed', 'failed', 'cancelled'];

/**
 * Stores tasks for the applications in one process that form one server. Tasks are stored as JSON, so that
 * applications cannot change each other's objects.
 */
class SharedTaskStore implements TaskStore {
  readonly workers: TaskWorkers;
  readonly #tasks = new Map<string, string>();
  readonly #lives = new Map<string, number>();

  /** @param isUnavailable whether it is currently unavailable */
  constructor(private readonly isUnavailable: () => boolean) {
    this.workers = {
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

  #reach<Kept>(stored: Kept): Kept {
    if (this.isUnavailable()) throw new TaskStoreUnavailableError('The task store is unavailable');
    return stored;
  }

  #readAll(): TaskRecord[] {
    return [...this.#reach(this.#tasks).values()].map((text) => JSON.parse(text) as TaskRecord);
  }
}

/** Options of {@link memoryCluster}. */
export interface MemoryClusterOptions {
  /** The number of entries that a server's log retains. @default 10_000 */
  readonly maxEntries?: number;
  /** The delay of each call and each delivery, in milliseconds. @default 0 */
  readonly delayMs?: number;
}

export const MEMORY_CLUSTER = optionGroup<MemoryClusterOptions>({
  maxEntries: [positive, 10_000],
  delayMs: [millisecondsOrNone, 0],
});

/** A cluster for tests. Applications in one process that share it form one server. Lets tests simulate Redis failures. */
export class MemoryCluster implements Cluster {
  /** The delay of each call and each delivery, in milliseconds. */
  delayMs: number;
  readonly #maxEntries: number;
  readonly #stores = new Map<string, MemoryStore>();
  readonly #taskStores = new Map<string, SharedTaskStore>();
  readonly #connections = new Set<MemoryConnection>();
  readonly #cut = new Set<string>();
  #isCut = false;

  constructor(options: MemoryClusterOptions = {}) {
    asserting(McpConfigurationError, () => MEMORY_CLUSTER.check('memoryCluster', options));
    const { maxEntries, delayMs } = MEMORY_CLUSTER.build(options);
    this.#maxEntries = maxEntries;
    this.delayMs = delayMs;
  }

  join(member: ClusterMember): Promise<ClusterConnection> {
    const connection = new MemoryConnection(member, this.#getStore(member.server), {
      getDelayMs: () => this.delayMs,
      isCut: () => this.#isCut || this.#cut.has(member.id),
      leave: () => void this.#connections.delete(connection),
      listMembers: () => this.#listConnections(member.server),
    });
    this.#connections.add(connection);
    connection.refresh();
    return Promise.resolve(connection);
  }

  createTaskStore({ server }: ClusterTaskStoreParts): TaskStore {
    const store = this.#taskStores.get(server) ?? new SharedTaskStore(() => this.#isCut);
    this.#taskStores.set(server, store);
    return store;
  }

  /** Makes the backend unavailable for one process or for all. Operations then fail. */
  cut(member?: string): void {
    if (member === undefined) this.#isCut = true;
    else this.#cut.add(member);
    this.#refresh();
  }

  /** Makes the backend available again for one process or for all. They then receive the entries that they missed. */
  heal(member?: string): void {
    if (member === undefined) {
      this.#isCut = false;
      this.#cut.clear();
    } else this.#cut.delete(member);
    this.#refresh();
  }

  /** Deletes everything, as if Redis were flushed. Logs start over, and records and leases are gone. */
  clear(): void {
    for (const store of [...this.#stores.values(), ...this.#taskStores.values()]) store.clear();
    this.#refresh();
  }

  /** Removes the oldest entries from the logs until this many are left. */
  trim(left = 0): void {
    for (const store of this.#stores.values()) store.trim(left);
  }

  #refresh(): void {
    for (const connection of this.#connections) connection.refresh();
  }

  #listConnections(server: string): readonly MemoryConnection[] {
    return [...this.#connections].filter((one) => one.member.server === server && one.isConnected);
  }

  #getStore(server: string): MemoryStore {
    const store = this.#stores.get(server) ?? new MemoryStore(this.#maxEntries);
    this.#stores.set(server, store);
    return store;
  }
}

/**
 * Creates a backend for tests. Applications in one process that share it form one server.
 *
 * @example
 * const cluster = memoryCluster();
 * // Two applications with `McpModule.forRoot({ serverInfo, secret, cluster })`.
 * cluster.cut();
 */
export function memoryCluster(options?: MemoryClusterOptions): MemoryCluster {
  return new MemoryCluster(options);
}
