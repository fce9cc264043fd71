import { asserting } from '../../../core/checks/asserting.js';
import { millisecondsOrNone, positive } from '../../../core/checks/option-checks.js';
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
import { MemoryConnection } from './memory-connection.js';
import { MemoryStore } from './memory-store.js';

const FINAL: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Keeps tasks for the applications in one process that are one server. Tasks are text, so that no application changes what another has. */
class SharedTaskStore implements TaskStore {
  readonly workers: TaskWorkers;
  readonly #tasks = new Map<string, string>();
  readonly #lives = new Map<string, number>();

  /** @param isAway whether it is out of reach now */
  constructor(private readonly isAway: () => boolean) {
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

  #reach<Kept>(kept: Kept): Kept {
    if (this.isAway()) throw new TaskStoreUnavailableError('The tasks are out of reach');
    return kept;
  }

  #readAll(): TaskRecord[] {
    return [...this.#reach(this.#tasks).values()].map((text) => JSON.parse(text) as TaskRecord);
  }
}

/** Options of {@link memoryCluster}. */
export interface MemoryClusterOptions {
  /** Entries that the log of a server keeps. @default 10_000 */
  readonly maxEntries?: number;
  /** Milliseconds that each call and each delivery takes. @default 0 */
  readonly delayMs?: number;
}

export const MEMORY_CLUSTER = optionGroup<MemoryClusterOptions>({
  maxEntries: [positive, 10_000],
  delayMs: [millisecondsOrNone, 0],
});

/** A cluster for tests. Applications of one process that share it are one server. Tests can simulate the failures of Redis. */
export class MemoryCluster implements Cluster {
  /** Milliseconds that each call and each delivery takes. */
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
    connection.look();
    return Promise.resolve(connection);
  }

  createTaskStore({ server }: ClusterTaskStoreParts): TaskStore {
    const store = this.#taskStores.get(server) ?? new SharedTaskStore(() => this.#isCut);
    this.#taskStores.set(server, store);
    return store;
  }

  /** Puts the engine out of reach for one process or for all. Operations fail meanwhile. */
  cut(member?: string): void {
    if (member === undefined) this.#isCut = true;
    else this.#cut.add(member);
    this.#look();
  }

  /** Puts the engine within reach again for one process or for all. They then get the entries that they missed. */
  heal(member?: string): void {
    if (member === undefined) {
      this.#isCut = false;
      this.#cut.clear();
    } else this.#cut.delete(member);
    this.#look();
  }

  /** Forgets everything, like a Redis that was emptied. Logs begin again, and records and leases are gone. */
  clear(): void {
    for (const store of [...this.#stores.values(), ...this.#taskStores.values()]) store.clear();
    this.#look();
  }

  /** Removes old entries from the logs until this many are left. */
  trim(left = 0): void {
    for (const store of this.#stores.values()) store.trim(left);
  }

  #look(): void {
    for (const connection of this.#connections) connection.look();
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
 * Creates an engine for tests. Applications of one process that share it are one server.
 *
 * @example
 * const cluster = memoryCluster();
 * // Two applications with `McpModule.forRoot({ serverInfo, secret, cluster })`.
 * cluster.cut();
 */
export function memoryCluster(options?: MemoryClusterOptions): MemoryCluster {
  return new MemoryCluster(options);
}
