import { randomUUID } from 'node:crypto';
import { Logger } from '../../core/logger/logger.js';
import { settleWithin } from '../../core/async/timeouts.js';
import { logError } from '../../core/log/describe-failure.js';
import { type ClusterBus, Topic } from '../cluster/cluster-bus.js';
import { CatalogError } from './catalog.error.js';

/** Makes a change in every process. Resolves when it has been made in this one. */
export type SharedChange<Payload> = (payload: Payload) => Promise<void>;

/** Options of `McpCatalog.broadcastChange()`. */
export interface SharedChangeOptions {
  /**
   * Called if changes may have been missed, for example after the process was unreachable for too long. It should
   * read the current state from the application's own store.
   * @default a warning in the log
   */
  readonly onGap?: () => unknown;
}

interface KnownChange extends SharedChangeOptions {
  readonly make: (payload: unknown) => unknown;
}

interface ChangeMessage {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly payload: string;
}

interface NextChange {
  readonly waiting?: Waiting | undefined;
  readonly characters?: number;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const CHANGE = new Topic<ChangeMessage>('catalog.change');

/** A longer value belongs in the application's own store. */
const MOST_CHARACTERS = 65_536;

/** The maximum number of queued changes, and of their characters. Further changes are dropped. */
const MOST_WAITING = 1000;
const MOST_WAITING_CHARACTERS = 4 * 1_048_576;

/** How long later changes wait for the current one, in milliseconds. */
const LONGEST_MS = 30_000;

/** Makes the application's named changes in every process, one at a time and in the same order. */
export class SharedChanges {
  readonly #logger = new Logger('McpCatalog');
  readonly #changes = new Map<string, KnownChange>();
  readonly #waiting = new Map<string, Waiting>();
  #queue: Promise<void> = Promise.resolve();
  /** The number of queued changes, and of their characters. */
  #count = 0;
  #characters = 0;
  /** Names of changes that this process drops because too many are queued. */
  readonly #missed = new Set<string>();
  /** The state until the server has settings, which the catalog itself does not need. */
  readonly #early: ChangeMessage[] = [];
  #bus: ClusterBus | undefined;

  /** Starts to apply changes, queued ones first. */
  open(bus: ClusterBus): void {
    this.#bus = bus;
    bus.on(CHANGE, (message) => this.#receive(message));
    bus.onGap(() => this.#recover(this.#changes.keys()));
    for (const message of this.#early.splice(0)) bus.publish(CHANGE, message);
  }

  /** @throws {CatalogError} if another change has the name */
  share<Payload>(
    name: string,
    make: (payload: Payload) => unknown,
    options: SharedChangeOptions,
  ): SharedChange<Payload> {
    if (this.#changes.has(name)) throw CatalogError.duplicate(`change "${name}"`);
    this.#changes.set(name, { ...options, make: make as KnownChange['make'] });
    return (payload) => this.#publish(name, payload);
  }

  async #publish(name: string, given: unknown): Promise<void> {
    const payload = formatPayload(name, given);
    if (this.#waiting.size >= MOST_WAITING || this.#isFull) throw createBusyError(name);
    const id = randomUUID();
    const made = new Promise<void>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const message = { id, name, payload };
    if (this.#bus === undefined) this.#early.push(message);
    else this.#bus.publish(CHANGE, message);
    return made;
  }

  /** A change that is unknown here belongs to another release of the application. */
  #receive(message: ChangeMessage): void {
    const change = this.#changes.get(message.name);
    if (change === undefined) return;
    const { make } = change;
    const { name, payload } = message;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#isFull) this.#miss(name, waiting);
    else this.#next(name, () => make(JSON.parse(payload)), { waiting, characters: payload.length });
  }

  get #isFull(): boolean {
    return this.#count >= MOST_WAITING || this.#characters >= MOST_WAITING_CHARACTERS;
  }

  #miss(name: string, waiting: Waiting | undefined): void {
    this.#missed.add(name);
    waiting?.reject(createBusyError(name));
  }

  #recover(names: Iterable<string>): void {
    for (const name of names) {
      const onGap = this.#changes.get(name)?.onGap;
      if (onGap !== undefined) this.#next(name, onGap);
      else this.#logger.warn(`Changes "${name}" from other processes may have been missed: set "onGap"`);
    }
  }

  /** Starts when the previous change has ended. */
  #next(name: string, make: () => unknown, { waiting, characters = 0 }: NextChange = {}): void {
    this.#count += 1;
    this.#characters += characters;
    const made = this.#makeInTurn(this.#queue, name, () => this.#make(name, make, waiting));
    this.#queue = made.then(() => this.#finish(characters));
  }

  async #makeInTurn(before: Promise<void>, name: string, make: () => Promise<void>): Promise<void> {
    await before;
    const isDone = await settleWithin(make(), LONGEST_MS);
    if (!isDone) this.#logger.warn(`The change "${name}" takes longer than ${LONGEST_MS} ms`);
  }

  /** Missed changes are reread after all queued changes. */
  #finish(characters: number): void {
    this.#count -= 1;
    this.#characters -= characters;
    if (this.#count > 0 || this.#missed.size === 0) return;
    const missed = [...this.#missed];
    this.#missed.clear();
    this.#recover(missed);
  }

  async #make(name: string, make: () => unknown, waiting: Waiting | undefined): Promise<void> {
    try {
      await make();
      waiting?.resolve();
    } catch (error) {
      this.#fail(name, error, waiting);
    }
  }

  /**
   * If a local change fails, its promise rejects. If another process's change fails, the failure is logged, because
   * no local code waits for it.
   */
  #fail(name: string, error: unknown, waiting: Waiting | undefined): void {
    if (waiting !== undefined) waiting.reject(error);
    else logError(this.#logger, error, `The change "${name}" from another process failed in this process`);
  }
}

function formatPayload(name: string, payload: unknown): string {
  const text = JSON.stringify(payload) as string | undefined;
  if (text === undefined) throw CatalogError.invalid(`The value for the change "${name}" must be JSON`);
  if (text.length <= MOST_CHARACTERS) return text;
  throw CatalogError.invalid(
    `The change "${name}" has ${text.length} characters, expected at most ${MOST_CHARACTERS}: store it where every process can read it, and pass its name`,
  );
}

function createBusyError(name: string): CatalogError {
  return CatalogError.invalid(
    `The change "${name}" cannot be made now, because ${MOST_WAITING} changes are already queued: wait for each change before you make the next`,
  );
}
