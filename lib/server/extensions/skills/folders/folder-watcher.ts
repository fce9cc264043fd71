import { watch, type FSWatcher } from 'node:fs';
import type { FoundFolder } from './scan-folder.js';

/** Editors write a file in several steps, and builds write many. */
const SETTLED_AFTER_MS = 100;

/** Hears of changes in folders, a moment after the last of several. It keeps no process alive. */
export class FolderWatcher {
  /** What is watched, by where it is and which folder it is. */
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param onFault hears once why changes are not heard any more */
  constructor(
    private readonly onChange: () => void,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /**
   * Watches these folders, and no others from then on. Tells whether one of them was not watched before: what happened in it since it was
   * looked through is not told.
   */
  watch(folders: Iterable<FoundFolder>): boolean {
    if (this.#isClosed) return false;
    const wanted = new Map([...folders].map((folder) => [`${folder.inode} ${folder.location}`, folder]));
    for (const [key, watcher] of this.#watchers) {
      if (wanted.has(key)) continue;
      this.#watchers.delete(key);
      watcher.close();
    }
    const kept = this.#watchers.size;
    try {
      for (const [key, { location }] of wanted) this.#add(key, location);
    } catch (error) {
      this.#fail(error);
    }
    return this.#watchers.size > kept;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #add(key: string, location: string): void {
    if (this.#watchers.has(key)) return;
    const watcher = watch(location, { persistent: false }, () => this.#note());
    // A folder that is removed is an error on some systems: what it was in tells of that too.
    watcher.on('error', () => this.#note());
    this.#watchers.set(key, watcher);
  }

  #note(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.onChange(), SETTLED_AFTER_MS);
    this.#timer.unref();
  }

  #fail(error: unknown): void {
    this.close();
    this.onFault(error);
  }
}
