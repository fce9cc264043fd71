import type {
  TaskHolders,
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../server/settings/extensions/task-store.interface.js';
import { TaskStoreFullError } from '../../server/settings/extensions/task-store-full.error.js';
import type { TaskCommands } from './task-commands.js';
import { listTexts } from '../commands/read-texts.js';
import { RedisTaskHolders } from './redis-task-holders.js';
import type { TaskChanges } from './task-changes.js';
import { TaskCodec } from './task-codec.js';
import { formatName, formatPlace, nameList, parseName, TaskKeys, type TaskName } from './task-keys.js';
import type { TaskQuotas } from './task-quotas.js';
import { LIST, LIST_EXPIRED, LIST_OPEN, READ, REMOVE, WRITE } from './task.scripts.js';

/** Milliseconds for which a task is kept after its expiry, so that the next look can end it if it still runs. */
const KEPT_MS = 600_000;

/** The most tasks that are read or removed at once. */
const PAGE = 100;

/** How often finished tasks make room for one that is written. */
const MOST_ATTEMPTS = 50;

/** What the store stands on. */
export interface RedisTaskStoreParts {
  readonly commands: TaskCommands;
  readonly keys: TaskKeys;
  readonly secrets: readonly string[];
  readonly quotas: TaskQuotas;
  /** Reports changes to watchers. @default there are none: the processes tell one another */
  readonly changes?: TaskChanges;
}

/** Keeps tasks in Redis. */
export class RedisTaskStore implements TaskStore {
  readonly holders: TaskHolders;
  readonly watch?: NonNullable<TaskStore['watch']>;
  readonly #codec: TaskCodec;

  constructor(private readonly parts: RedisTaskStoreParts) {
    const { commands, keys, secrets, changes } = parts;
    this.#codec = new TaskCodec(secrets);
    this.holders = new RedisTaskHolders(commands, keys);
    if (changes !== undefined) this.watch = (changed) => changes.watch(changed);
  }

  async create(record: TaskRecord, address?: string): Promise<void> {
    if (!(await this.#write(record, 0, address))) throw new Error('There is a task of this id already');
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    const [record] = await this.#read([taskId]);
    return record;
  }

  replace(record: TaskRecord): Promise<boolean> {
    return this.#write(record, record.version - 1);
  }

  async list({ owner, sessionId, after, limit }: TaskSelection): Promise<readonly TaskRecord[]> {
    const whose = { ...(owner !== undefined && { owner }), ...(sessionId !== undefined && { sessionId }) };
    const list = this.parts.keys.list(whose);
    const found: TaskRecord[] = [];
    let begin = after === undefined ? '-' : `(${formatPlace(after)}`;
    // A task may be gone, and its place not yet. Others may be of another key of the same caller.
    for (let wanted = Math.min(limit, PAGE); found.length < limit; wanted = PAGE) {
      const places = listTexts(await this.parts.commands.run(LIST, [list], [begin, `${wanted}`]));
      const listed = await this.#read(places.map(readId));
      found.push(...listed.filter((record) => record.owner === owner));
      const last = places.at(-1);
      if (last === undefined || places.length < wanted) break;
      begin = `(${last}`;
    }
    return found.slice(0, limit);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    const { commands, keys } = this.parts;
    const ids = listTexts(await commands.run(LIST_OPEN, [keys.open], []));
    const found: TaskRecord[] = [];
    for (let start = 0; start < ids.length; start += PAGE) {
      found.push(...(await this.#read(ids.slice(start, start + PAGE))));
    }
    return found;
  }

  async removeExpired(before: number): Promise<void> {
    const { commands, keys } = this.parts;
    for (;;) {
      const fromNow = `${before - Date.now()}`;
      const names = listTexts(await commands.run(LIST_EXPIRED, [keys.expiry], [fromNow, `${PAGE}`]));
      await Promise.all(names.map((name) => this.#remove(parseName(name), fromNow)));
      if (names.length < PAGE) return;
    }
  }

  /**
   * Writes a task if the stored version is the expected one, and tells whether it did. Finished tasks of the same owner make
   * room, the oldest first.
   *
   * @throws {TaskStoreFullError} if that is not enough
   */
  async #write(record: TaskRecord, expected: number, address?: string): Promise<boolean> {
    const run = this.#prepare(record, expected, address);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const [outcome, ...facts] = listTexts(await run());
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
    const list = nameList(record);
    const place = formatPlace(record);
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
        place,
        formatName({ list, place }),
        text,
        ...quota.values,
      ]);
  }

  async #read(ids: readonly string[]): Promise<readonly TaskRecord[]> {
    const [first, ...others] = ids.map((taskId) => this.parts.keys.task(taskId));
    if (first === undefined) return [];
    const found = listTexts(await this.parts.commands.run(READ, [first, ...others], []));
    return ids.flatMap((taskId, index) => {
      const text = found[2 * index] ?? '';
      const record = text === '' ? undefined : this.#codec.parse(taskId, text, Number(found[2 * index + 1]));
      return record ?? [];
    });
  }

  /** @param fromNow milliseconds from now by which the task must have expired; empty if that does not matter */
  async #remove({ list, place, taskId }: TaskName, fromNow: string): Promise<void> {
    const { commands, keys, quotas } = this.parts;
    await commands.run(
      REMOVE,
      [keys.task(taskId), keys.open, keys.expiry, keys.listOf(list), ...quotas.list(list)],
      [fromNow, taskId, place, formatName({ list, place })],
    );
  }
}

function readId(place: string): string {
  return place.slice(place.indexOf('|') + 1);
}

function isOpen({ status }: TaskRecord): boolean {
  return status === 'working' || status === 'input_required';
}
