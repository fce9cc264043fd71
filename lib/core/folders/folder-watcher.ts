import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Editors write a file in several steps, and builds write many. */
const SETTLED_AFTER_MS = 100;

/** Changes are reported even while files are written continuously. */
const REPORTED_AFTER_MS = 1000;

/** A watched folder. */
interface Watched {
  readonly watcher: FSWatcher;
  /** The file names to watch; all names if absent. */
  names: ReadonlySet<string> | undefined;
}

/** Handlers of folder changes. */
export interface FolderEvents {
  /** Called shortly after the last of several changes. */
  onChange(): void;
  /** Called with the reason if a folder cannot be watched. */
  onProblem(folder: string, error: unknown): void;
}

/**
 * Watches folders for changes, even if a folder or its parent is removed and recreated, moved, or created later. It
 * does not keep the process alive.
 */
export class FolderWatcher {
  readonly #watched = new Map<string, Watched>();
  /** Folders that may have been replaced since they were watched. Inode numbers are reused, so they cannot prove it. */
  readonly #suspect = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #since: number | undefined;
  #isClosed = false;

  constructor(private readonly events: FolderEvents) {}

  /**
   * Watches these folders, and stops watching all others. Returns whether any of them was not watched before, in
   * which case changes in it since the last scan are unknown.
   *
   * @param folders absolute paths; the creation of a missing one is reported
   */
  watch(folders: Iterable<string>): boolean {
    if (this.#isClosed) return false;
    const wanted = listWanted(folders);
    for (const [folder, { watcher }] of this.#watched) {
      if (wanted.has(folder) && !this.#isSuspect(folder)) continue;
      this.#watched.delete(folder);
      watcher.close();
    }
    this.#suspect.clear();
    let isMore = false;
    for (const [folder, names] of wanted) {
      const present = this.#watched.get(folder);
      if (present !== undefined) present.names = names;
      else if (this.#add(folder, names) && names === undefined) isMore = true;
    }
    return isMore;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  #add(folder: string, names: Watched['names']): boolean {
    // The error handler may have stopped watching.
    if (this.#isClosed) return false;
    try {
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
      const watcher = watch(folder, { persistent: false });
      watcher.on('change', (kind, name) => this.#handleChange(folder, kind, name));
      // Some systems report a folder's removal as an error.
      watcher.on('error', () => this.#note(folder));
      this.#watched.set(folder, { watcher, names });
      return true;
    } catch (error) {
      // The process may have no access to a parent folder.
      if (names === undefined) this.events.onProblem(folder, error);
      return false;
    }
  }

  #handleChange(folder: string, kind: string, name: string | Buffer | null): void {
    const { names } = this.#watched.get(folder) ?? {};
    const text = name === null ? undefined : String(name);
    // A change without another name, or with the folder's name, affects the folder itself.
    if (text === undefined || text === basename(folder)) return this.#note(folder);
    if (names?.has(text) === false) return;
    this.#note(kind === 'rename' ? join(folder, text) : undefined);
  }

  #isSuspect(folder: string): boolean {
    for (let at = folder; ; at = dirname(at)) {
      if (this.#suspect.has(at)) return true;
      if (at === dirname(at)) return false;
    }
  }

  /** @param suspect the path that may have been replaced */
  #note(suspect?: string): void {
    if (this.#isClosed) return;
    if (suspect !== undefined) this.#suspect.add(suspect);
    const now = performance.now();
    this.#since ??= now;
    if (now - this.#since > REPORTED_AFTER_MS - SETTLED_AFTER_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#report(), SETTLED_AFTER_MS).unref();
  }

  #report(): void {
    this.#since = undefined;
    this.events.onChange();
  }
}

/**
 * Lists these folders, and their parents with the names on the path, because a folder's watcher does not notice moves
 * and removals further up.
 */
function listWanted(folders: Iterable<string>): ReadonlyMap<string, ReadonlySet<string> | undefined> {
  const ways = new Map<string, Set<string>>();
  const wanted = new Set(folders);
  for (const folder of wanted) addWay(folder, ways);
  const all = [...wanted].map((folder) => [folder, undefined] as const);
  const listed = new Map<string, ReadonlySet<string> | undefined>([...ways, ...all]);
  // New files in a watched folder are reported.
  return new Map([...listed].toSorted(([one], [other]) => one.length - other.length));
}

function addWay(folder: string, ways: Map<string, Set<string>>): void {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const above = dirname(at);
    const names = ways.get(above);
    if (names?.has(basename(at)) === true) return;
    if (names === undefined) ways.set(above, new Set([basename(at)]));
    else names.add(basename(at));
  }
}
