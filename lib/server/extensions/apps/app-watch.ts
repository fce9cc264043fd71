import { watch, type FSWatcher } from 'node:fs';

/** Programs write a file in several steps. */
const QUIET_MS = 50;

/** Tells of changes in folders while an application is developed. It keeps no process alive. */
export class AppWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;

  /** @param changed is called once a folder has been quiet for a moment */
  constructor(
    private readonly changed: () => void,
    private readonly failed: (folder: string, error: unknown) => void,
  ) {}

  /** Watches the files of a folder; one that is watched already stays so. */
  add(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#tellSoon());
      watcher.on('error', (error) => this.failed(folder, error));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.failed(folder, error);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #tellSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.changed(), QUIET_MS).unref();
  }
}
