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
import { formatName, formatPlace, nameList, parseName, TaskKeys, type TaskName } from './task-keys.js';
import { LIST, LIST_EXPIRED, LIST_OPEN, READ, REMOVE, WRITE } from './task.scripts.js';

/** Milliseconds for which a task is kept after its expiry, so that the next look can end it if it still runs. */
const KEPT_MS = 600_000;

/** The most tasks that are read or removed at once. */
const PAGE = 100;

/** What the store stands on. */
export interface RedisTaskStoreParts {
  readonly commands: TaskCommands;
  readonly keys: TaskKeys;
  readonly secrets: readonly string[];
  readonly maximumPerOwner: number;
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

  async create(record: TaskRecord): Promise<void> {
    const kept = await this.#write(record, 0);
    if (kept === -1) throw new Error('There is a task of this id already');
    const { maximumPerOwner } = this.parts;
    if (kept > maximumPerOwner) await this.#removeOldest(record, kept - maximumPerOwner);
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    const [record] = await this.#read([taskId]);
    return record;
  }

  async replace(record: TaskRecord): Promise<boolean> {
    return (await this.#write(record, record.version - 1)) !== -1;
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

  async #write(record: TaskRecord, expected: number): Promise<number> {
    const { commands, keys, changes } = this.parts;
    const { taskId, version, expires } = record;
    const list = nameList(record);
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

  /** Removes finished tasks of an owner, the oldest first, to make room for newer ones. */
  async #removeOldest(record: TaskRecord, surplus: number): Promise<void> {
    const list = nameList(record);
    const key = this.parts.keys.listOf(list);
    const places = listTexts(await this.parts.commands.run(LIST, [key], ['-', `${surplus + PAGE}`]));
    const records = new Map((await this.#read(places.map(readId))).map((task) => [task.taskId, task]));
    const removable = places.filter((place) => {
      const task = records.get(readId(place));
      return task === undefined || !isOpen(task);
    });
    for (const place of removable.slice(0, surplus)) {
      await this.#remove({ list, place, taskId: readId(place) }, '');
    }
  }

  /** @param fromNow milliseconds from now by which the task must have expired; empty if that does not matter */
  async #remove({ list, place, taskId }: TaskName, fromNow: string): Promise<void> {
    const { commands, keys } = this.parts;
    await commands.run(
      REMOVE,
      [keys.task(taskId), keys.open, keys.expiry, keys.listOf(list)],
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
