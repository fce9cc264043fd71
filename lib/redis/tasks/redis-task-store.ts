import { Logger } from '@nestjs/common';
import { escapeText } from '../../core/log/escape-text.js';
import type { Keyring } from '../../core/sealing/keyring.js';
import { OnceAMinute } from '../../core/waiting/once-a-minute.js';
import type {
  TaskHolders,
  TaskRecord,
  TaskSelection,
  TaskStore,
} from '../../server/settings/extensions/task-store.interface.js';
import type { TaskCommands } from './task-commands.js';
import { listTexts } from '../commands/read-texts.js';
import { RedisTaskHolders } from './redis-task-holders.js';
import type { TaskChanges } from './task-changes.js';
import { TaskCodec } from './task-codec.js';
import { formatName, formatPlace, parseName, TaskKeys, type TaskName } from './task-keys.js';
import { FORGET_OPEN, LIST, LIST_EXPIRED, LIST_OPEN, READ, REMOVE, WRITE } from './task.scripts.js';

/** Milliseconds for which a task is kept after its expiry, so that the next look can end it if it still runs. */
const KEPT_MS = 600_000;

/** The most tasks that are read or removed at once. */
const PAGE = 100;

/** The most finished tasks that make room for one. */
const MOST_REMOVED = 1000;

/** What the store stands on. */
export interface RedisTaskStoreParts {
  readonly commands: TaskCommands;
  readonly keys: TaskKeys;
  readonly keyring: Keyring;
  readonly maximumPerOwner: number;
  /** Reports changes to watchers. @default there are none: the processes tell one another */
  readonly changes?: TaskChanges;
}

/** A task that was looked for. */
interface Reading {
  readonly taskId: string;
  /** Absent if nothing is stored, or if it cannot be read. */
  readonly record?: TaskRecord | undefined;
  readonly isStored: boolean;
}

/** Keeps tasks in Redis. A task that cannot be read is treated as if it were not there. */
export class RedisTaskStore implements TaskStore {
  readonly holders: TaskHolders;
  readonly watch?: NonNullable<TaskStore['watch']>;
  readonly #logger = new Logger('McpTasks');
  readonly #due = new OnceAMinute();
  readonly #codec: TaskCodec;

  constructor(private readonly parts: RedisTaskStoreParts) {
    const { commands, keys, keyring, changes } = parts;
    this.#codec = new TaskCodec(keyring);
    this.holders = new RedisTaskHolders(commands, keys);
    if (changes !== undefined) this.watch = (changed) => changes.watch(changed);
  }

  async create(record: TaskRecord): Promise<void> {
    const kept = await this.#write(record, 0);
    if (kept === -1) throw new Error('There is a task of this id already');
    const { maximumPerOwner } = this.parts;
    if (kept > maximumPerOwner) await this.#removeOldest(record, kept - maximumPerOwner);
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    const [reading] = await this.#read([taskId]);
    return reading?.record;
  }

  async replace(record: TaskRecord): Promise<boolean> {
    return (await this.#write(record, record.version - 1)) !== -1;
  }

  async list({ owner, sessionId, after, limit }: TaskSelection): Promise<readonly TaskRecord[]> {
    const whose = { ...(owner !== undefined && { owner }), ...(sessionId !== undefined && { sessionId }) };
    const lists = this.parts.keys.nameLists(whose);
    const selection = { ...whose, ...(after && { after }), limit };
    const found = await Promise.all(lists.map((list) => this.#list(list, selection)));
    // While secrets are being changed, an owner has a list for each.
    const records = new Map(found.flat().map((record) => [formatPlace(record), record]));
    const sorted = [...records].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return sorted.slice(0, limit).map(([, record]) => record);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    const { commands, keys } = this.parts;
    const ids = listTexts(await commands.run(LIST_OPEN, [keys.open], []));
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
      const names = listTexts(await commands.run(LIST_EXPIRED, [keys.expiry], [fromNow, `${PAGE}`]));
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
    let begin = after === undefined ? '-' : `(${formatPlace(after)}`;
    // A task may be gone, and its place not yet. Others may be of another key of the same caller.
    for (let wanted = Math.min(limit, PAGE); found.length < limit; wanted = PAGE) {
      const places = listTexts(await this.parts.commands.run(LIST, [key], [begin, `${wanted}`]));
      const readings = await this.#read(places.map(readId));
      for (const [index, { record }] of readings.entries()) {
        // Anybody may write into the list, so that the task itself says whose it is.
        if (record === undefined || record.owner !== owner || formatPlace(record) !== places[index]) continue;
        if (owner !== undefined || record.sessionId === sessionId) found.push(record);
      }
      const last = places.at(-1);
      if (last === undefined || places.length < wanted) break;
      begin = `(${last}`;
    }
    return found;
  }

  async #write(record: TaskRecord, expected: number): Promise<number> {
    const { commands, keys, changes } = this.parts;
    const { taskId, version, expires } = record;
    const list = this.#nameList(record);
    const place = formatPlace(record);
    const written = await commands.run(
      WRITE,
      [keys.task(taskId), keys.open, keys.expiry, keys.listOf(list), ...(changes ? [keys.changes] : [])],
      [
        `${expected}`,
        `${version}`,
        `${expires - Date.now()}`,
        `${KEPT_MS}`,
        isOpen(record) ? '1' : '0',
        taskId,
        place,
        formatName({ list, place }),
        this.#codec.format(record),
      ],
    );
    return Number(written);
  }

  async #read(ids: readonly string[]): Promise<readonly Reading[]> {
    const [first, ...others] = ids.map((taskId) => this.parts.keys.task(taskId));
    if (first === undefined) return [];
    const found = listTexts(await this.parts.commands.run(READ, [first, ...others], []));
    return ids.map((taskId, index) => {
      const [text = '', lastsMs, version] = found.slice(3 * index, 3 * index + 3);
      if (text === '') return { taskId, isStored: false };
      const record = this.#codec.parse(taskId, { text, version: Number(version), lastsMs: Number(lastsMs) });
      if (record === undefined) this.#warn(taskId);
      return { taskId, record, isStored: true };
    });
  }

  /** Removes tasks of an owner to make room for newer ones: what cannot be read first, and then the oldest finished ones. */
  async #removeOldest(record: TaskRecord, surplus: number): Promise<void> {
    const list = this.#nameList(record);
    const key = this.parts.keys.listOf(list);
    const most = Math.min(surplus, MOST_REMOVED);
    const places = listTexts(await this.parts.commands.run(LIST, [key], ['-', `${most + PAGE}`]));
    const readings = await this.#read(places.map(readId));
    const isUnreadable = (index: number): boolean => readings[index]?.record === undefined;
    const isFinished = (index: number): boolean => {
      const task = readings[index]?.record;
      return task !== undefined && !isOpen(task);
    };
    const indexes = [...places.keys()];
    const removable = [...indexes.filter(isUnreadable), ...indexes.filter(isFinished)];
    for (const index of removable.slice(0, most)) {
      const place = places[index] ?? '';
      await this.#remove({ name: formatName({ list, place }), list, place, taskId: readId(place) }, '');
    }
  }

  /** @param fromNow milliseconds from now by which the task must have expired; empty if that does not matter */
  async #remove({ name, list, place, taskId }: TaskName, fromNow: string): Promise<void> {
    const { commands, keys } = this.parts;
    await commands.run(
      REMOVE,
      [keys.task(taskId), keys.open, keys.expiry, keys.listOf(list)],
      [fromNow, taskId, place, name],
    );
  }

  #nameList(record: TaskRecord): string {
    return this.parts.keys.nameLists(record)[0] as string;
  }

  #warn(taskId: string): void {
    if (!this.#due.isDue('unreadable')) return;
    const key = escapeText(this.parts.keys.task(taskId), LONGEST_KEY);
    this.#logger.warn(
      `The task at "${key}" in Redis cannot be read, and is ignored: it was changed by somebody else, or encrypted by another "secret"`,
    );
  }
}

/** Characters of a key in the log. */
const LONGEST_KEY = 200;

function readId(place: string): string {
  return place.slice(place.indexOf('|') + 1);
}

function isOpen({ status }: TaskRecord): boolean {
  return status === 'working' || status === 'input_required';
}
