import { escapeText } from '../../core/log/escape-text.js';
import { Logger } from '../../core/logger/logger.js';
import type { Keyring } from '../../core/sealing/keyring.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import { TaskStoreFullError } from '../../server/settings/extensions/task-store.error.js';
import type {
  TaskWorkers,
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../server/settings/extensions/task-store.interface.js';
import { listStrings } from '../commands/redis-commands.js';
import type { TaskChanges } from './task-changes.js';
import { TaskCodec } from './task-codec.js';
import type { TaskCommands } from './task-commands.js';
import {
  formatName,
  formatPosition,
  parseName,
  TaskKeys,
  type TaskName,
  type TaskQuotas,
} from './task-keys.js';
import {
  FORGET_OPEN,
  LIST,
  LIST_EXPIRED,
  LIST_WORKERS,
  LIST_OPEN,
  READ,
  REMOVE,
  RENEW_WORKER,
  WRITE,
} from './task.scripts.js';

/**
 * Tracks the live processes on the Redis clock, so that a process with a wrong clock does not make others seem dead.
 * Entries that another program deletes or shortens still count until they expire.
 */
class RedisTaskWorkers implements TaskWorkers {
  /** When each process will be considered dead, in milliseconds since 1970. */
  readonly #known = new Map<string, number>();

  constructor(
    private readonly commands: TaskCommands,
    private readonly keys: TaskKeys,
  ) {}

  async renew(worker: string, until: number): Promise<boolean> {
    const values = [worker, `${until - Date.now()}`];
    const wasThere = Number(await this.commands.run(RENEW_WORKER, [this.keys.workers], values)) === 1;
    const isLost = !wasThere && this.#known.has(worker);
    if (isLost) this.#extendAll(until);
    return !isLost;
  }

  async list(now: number): Promise<readonly string[]> {
    const fromNow = `${now - Date.now()}`;
    const found = listStrings(await this.commands.run(LIST_WORKERS, [this.keys.workers], [fromNow]));
    for (let index = 0; index < found.length; index += 2) {
      this.#extend(found[index] ?? '', Date.now() + Number(found[index + 1]));
    }
    for (const [worker, until] of this.#known) if (until < now) this.#known.delete(worker);
    return [...this.#known.keys()];
  }

  /** If this process's entry was deleted, the others probably were too, so extend them until they are renewed. */
  #extendAll(until: number): void {
    for (const worker of this.#known.keys()) this.#extend(worker, until);
  }

  #extend(worker: string, until: number): void {
    this.#known.set(worker, Math.max(until, this.#known.get(worker) ?? 0));
  }
}

/**
 * How long a task is retained after its expiry, in milliseconds, so that the next sweep can end it if it is still
 * running.
 */
const KEPT_MS = 600_000;

/** The maximum number of tasks to read or remove in one step. */
const PAGE = 100;

/** How many times finished tasks may be evicted for one write. */
const MOST_ATTEMPTS = 50;

/** The store's dependencies. */
export interface RedisTaskStoreParts {
  readonly commands: TaskCommands;
  readonly keys: TaskKeys;
  readonly keyring: Keyring;
  readonly quotas: TaskQuotas;
  /** Reports changes to watchers. @default none: the cluster reports them */
  readonly changes?: TaskChanges;
}

/** The result of reading a task. */
interface Reading {
  readonly taskId: string;
  /** Absent if nothing is stored, or if it cannot be read. */
  readonly record?: TaskRecord | undefined;
  readonly isStored: boolean;
}

/** Stores tasks in Redis. A task that cannot be read counts as missing. */
export class RedisTaskStore implements TaskStore {
  readonly workers: TaskWorkers;
  readonly watch?: NonNullable<TaskStore['watch']>;
  readonly #logger = new Logger('McpTasks');
  readonly #due = new OncePerMinute();
  readonly #codec: TaskCodec;

  constructor(private readonly parts: RedisTaskStoreParts) {
    const { commands, keys, keyring, changes } = parts;
    this.#codec = new TaskCodec(keyring);
    this.workers = new RedisTaskWorkers(commands, keys);
    if (changes !== undefined) this.watch = (changed) => changes.watch(changed);
  }

  async create(record: TaskRecord, address?: string): Promise<void> {
    if (!(await this.#write(record, 0, address))) throw new Error('A task with this id already exists');
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    const [reading] = await this.#read([taskId]);
    return reading?.record;
  }

  replace(record: TaskRecord): Promise<boolean> {
    return this.#write(record, record.version - 1);
  }

  async list({ owner, sessionId, after, limit }: TaskSelection): Promise<readonly TaskRecord[]> {
    const whose = { ...(owner !== undefined && { owner }), ...(sessionId !== undefined && { sessionId }) };
    const lists = this.parts.keys.nameLists(whose);
    const selection = { ...whose, ...(after && { after }), limit };
    const found = await Promise.all(lists.map((list) => this.#list(list, selection)));
    // During secret rotation, an owner has one list per secret.
    const records = new Map(found.flat().map((record) => [formatPosition(record), record]));
    const sorted = [...records].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return sorted.slice(0, limit).map(([, record]) => record);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    const { commands, keys } = this.parts;
    const ids = listStrings(await commands.run(LIST_OPEN, [keys.open], []));
    const found: TaskRecord[] = [];
    for (let start = 0; start < ids.length; start += PAGE) {
      const readings = await this.#read(ids.slice(start, start + PAGE));
      found.push(...readings.flatMap(({ record }) => record ?? []));
      const gone = readings.filter(({ isStored }) => !isStored).map(({ taskId }) => taskId);
      if (gone.length > 0) await commands.run(FORGET_OPEN, [keys.open], gone);
    }
    return found;
  }

  async removeExpired(before: number): Promise<void> {
    const { commands, keys } = this.parts;
    for (;;) {
      const fromNow = `${before - Date.now()}`;
      const names = listStrings(await commands.run(LIST_EXPIRED, [keys.expiry], [fromNow, `${PAGE}`]));
      await Promise.all(names.map((name) => this.#remove(parseName(name), fromNow)));
      if (names.length < PAGE) return;
    }
  }

  async #list(
    list: string,
    { owner, sessionId, after, limit }: TaskSelection,
  ): Promise<readonly TaskRecord[]> {
    const key = this.parts.keys.listOf(list);
    const found: TaskRecord[] = [];
    let begin = after === undefined ? '-' : `(${formatPosition(after)}`;
    // The list may contain removed tasks, and the same caller's tasks under a different key.
    for (let wanted = Math.min(limit, PAGE); found.length < limit; wanted = PAGE) {
      const positions = listStrings(await this.parts.commands.run(LIST, [key], [begin, `${wanted}`]));
      const readings = await this.#read(positions.map(readId));
      for (const [index, { record }] of readings.entries()) {
        // The list is not authenticated, so the owner stored in the task is authoritative.
        if (record === undefined || record.owner !== owner || formatPosition(record) !== positions[index])
          continue;
        if (owner !== undefined || record.sessionId === sessionId) found.push(record);
      }
      const last = positions.at(-1);
      if (last === undefined || positions.length < wanted) break;
      begin = `(${last}`;
    }
    return found;
  }

  /**
   * Writes a task if the stored version is the expected one, and returns whether it did. The same owner's finished
   * tasks are evicted if necessary, oldest first.
   *
   * @throws {TaskStoreFullError} if that is not enough
   */
  async #write(record: TaskRecord, expected: number, address?: string): Promise<boolean> {
    const run = this.#prepare(record, expected, address);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const [outcome, ...facts] = listStrings(await run());
      if (outcome === 'stale') return false;
      if (outcome === 'large') throw new TaskStoreFullError();
      const [seconds, names] = outcome === 'full' ? [facts[0], facts.slice(1)] : [undefined, facts];
      await Promise.all(names.map((name) => this.#remove(parseName(name), '')));
      if (seconds === undefined) return true;
      if (names.length === 0) throw new TaskStoreFullError(Number(seconds));
    }
    throw new TaskStoreFullError(0);
  }

  #prepare(record: TaskRecord, expected: number, address: string | undefined): () => Promise<unknown> {
    const { commands, keys, changes, quotas } = this.parts;
    const { taskId, version, expires } = record;
    const [list] = keys.nameLists(record);
    const position = formatPosition(record);
    const text = this.#codec.format(record);
    const quota = quotas.find(record, text, isOpen(record), address);
    const written: readonly [string, ...string[]] = [
      keys.task(taskId),
      keys.open,
      keys.expiry,
      keys.listOf(list),
      ...quota.keys,
      ...(changes ? [keys.changes] : []),
    ];
    return () =>
      commands.run(WRITE, written, [
        `${expected}`,
        `${version}`,
        `${expires - Date.now()}`,
        `${KEPT_MS}`,
        isOpen(record) ? '1' : '0',
        taskId,
        position,
        formatName({ list, position }),
        text,
        ...quota.values,
      ]);
  }

  async #read(ids: readonly string[]): Promise<readonly Reading[]> {
    const [first, ...others] = ids.map((taskId) => this.parts.keys.task(taskId));
    if (first === undefined) return [];
    const found = listStrings(await this.parts.commands.run(READ, [first, ...others], []));
    return ids.map((taskId, index) => {
      const [text = '', lastsMs, version] = found.slice(3 * index, 3 * index + 3);
      if (text === '') return { taskId, isStored: false };
      const record = this.#codec.parse(taskId, { text, version: Number(version), lastsMs: Number(lastsMs) });
      if (record === undefined) this.#warn(taskId);
      return { taskId, record, isStored: true };
    });
  }

  /**
   * @param fromNow the time, in milliseconds from now, by which the task must have expired; empty to remove it in any
   * case
   */
  async #remove({ name, list, position, taskId }: TaskName, fromNow: string): Promise<void> {
    const { commands, keys, quotas } = this.parts;
    await commands.run(
      REMOVE,
      [keys.task(taskId), keys.open, keys.expiry, keys.listOf(list), ...quotas.list(list)],
      [fromNow, taskId, position, name],
    );
  }

  #warn(taskId: string): void {
    if (!this.#due.isDue('unreadable')) return;
    const key = escapeText(this.parts.keys.task(taskId), LONGEST_KEY);
    this.#logger.warn(
      `The task at "${key}" in Redis cannot be read and is ignored: it was changed by another program, or encrypted with a different "secret"`,
    );
  }
}

/** The maximum length of a key in the log, in characters. */
const LONGEST_KEY = 200;

function readId(position: string): string {
  return position.slice(position.indexOf('|') + 1);
}

function isOpen({ status }: TaskRecord): boolean {
  return status === 'working' || status === 'input_required';
}
