import { Subject, type Observable } from 'rxjs';
import { CatalogError } from './catalog.error.js';

/** The data that a registry stores about an entry. */
export interface Entry {
  /** The entry key. */
  readonly key: string;
  /** The entry's position in lists. It grows with each addition, and does not change when the entry is updated. */
  readonly sequence: number;
  /**
   * Whether the entry is built in. Every caller sees it in the list, and the application's visibility rules do not
   * apply to it.
   * @default false
   */
  readonly isOwn?: boolean;
}

/** An entry before it is registered. */
export type NewEntry<Placed extends Entry> = Omit<Placed, 'sequence'>;

/** A page of a list. */
export interface Page<Listed> {
  readonly entries: readonly Listed[];
  /** Where the next page begins; absent on the last page. */
  readonly next?: number;
}

/** The source of a list's entries. */
export type EntryList<Listed extends Entry> = Pick<Registry<Listed>, 'version' | 'list' | 'page'>;

/** The requested page of a list. */
export interface PageLimits<Listed> {
  /** The previous page's `next`, or 0. */
  readonly after: number;
  readonly size: number;
  /** Returns whether the list contains an entry. @default every entry */
  readonly shows?: ((entry: Listed) => boolean) | undefined;
}

/** Returns the entries after a position in a list. */
export function readPage<Listed extends Entry>(
  listed: readonly Listed[],
  { after, size, shows }: PageLimits<Listed>,
): Page<Listed> {
  const ordered = shows === undefined ? listed : listed.filter((entry) => shows(entry));
  const start = findStart(ordered, after);
  const entries = start === 0 && size >= ordered.length ? ordered : ordered.slice(start, start + size);
  const last = entries.at(-1);
  const hasMore = start + entries.length < ordered.length;
  return hasMore && last !== undefined ? { entries, next: last.sequence } : { entries };
}

/** Completes entries before they are listed, with data from another part of the server. */
export interface Completion<Listed extends Entry> {
  /** Returns the new entry. If it throws, the entry is refused. */
  complete(entry: NewEntry<Listed>): NewEntry<Listed>;
}

/** Stores the entries of one kind in a stable order, and emits their changes. */
export abstract class Registry<Listed extends Entry> {
  /** Identifies the kind in error messages. */
  abstract readonly kind: string;

  readonly #entries = new Map<string, Listed>();
  readonly #changes = new Subject<void>();
  #ordered: readonly Listed[] | undefined;
  #lastSequence = 0;
  #version = 0;

  #completion: Completion<Listed> | undefined;
  #isExpecting = false;

  /** Whether entries will be added later, in which case the server declares the capability without any. */
  get isExpecting(): boolean {
    return this.#isExpecting;
  }

  /** Announces entries that will be added later. */
  expect(): void {
    this.#isExpecting = true;
    this.#version += 1;
  }

  /** Emits after each addition, change and removal. */
  readonly changes$: Observable<void> = this.#changes.asObservable();

  /** Increases with each addition, change and removal. */
  get version(): number {
    return this.#version;
  }

  /** Identifies an entry in error messages. */
  describe(key: string): string {
    return `${this.kind} "${key}"`;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns all entries in the order in which they were added. */
  list(): readonly Listed[] {
    this.#ordered ??= Object.freeze([...this.#entries.values()]);
    return this.#ordered;
  }

  find(key: string): Listed | undefined {
    return this.#entries.get(key);
  }

  /** Completes each entry that is added or changed from now on. */
  completeWith(completion: Completion<Listed>): void {
    this.#completion = completion;
  }

  /**
   * Returns the entries after a position in the list.
   *
   * @param after the previous page's `next`, or 0
   * @param shows returns whether the list contains an entry; by default, it contains every entry
   */
  page(after: number, size: number, shows?: (entry: Listed) => boolean): Page<Listed> {
    return readPage(this.list(), { after, size, shows });
  }

  /**
   * Adds an entry after all others.
   *
   * @throws {CatalogError} if an entry with its key exists
   */
  add(entry: NewEntry<Listed>): Listed {
    const { key } = entry;
    const present = this.#entries.get(key);
    if (present?.isOwn === true) throw CatalogError.takenByServer(this.describe(key));
    if (present !== undefined) throw CatalogError.duplicate(this.describe(key));
    const complete = this.#completion?.complete(entry) ?? entry;
    this.#lastSequence += 1;
    return this.#put({ ...complete, sequence: this.#lastSequence });
  }

  /**
   * Replaces the entry with the same key.
   *
   * @throws {CatalogError} if there is none
   */
  replace(entry: NewEntry<Listed>): Listed {
    const present = this.#entries.get(entry.key);
    if (present === undefined) throw CatalogError.unknown(this.describe(entry.key));
    return this.#put({ ...(this.#completion?.complete(entry) ?? entry), sequence: present.sequence });
  }

  /** Removes an entry and returns whether it existed. */
  remove(key: string): boolean {
    const wasThere = this.#entries.delete(key);
    if (wasThere) this.#publish();
    return wasThere;
  }

  #put(entry: NewEntry<Listed> & { readonly sequence: number }): Listed {
    const placed = Object.freeze(entry) as unknown as Listed;
    this.#entries.set(placed.key, placed);
    this.#publish();
    return placed;
  }

  #publish(): void {
    this.#ordered = undefined;
    this.#version += 1;
    this.#changes.next();
  }
}

/** Finds the first entry after a sequence number with a binary search. */
function findStart(entries: readonly Entry[], after: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && entry.sequence > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
