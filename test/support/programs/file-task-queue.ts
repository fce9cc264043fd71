import { mkdirSync, readdirSync, renameSync, watch, writeFileSync, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import type { TaskQueue } from 'nestjs-mcp';

/** A queue in files that several processes share and that outlives them; who takes a task moves its file away. */
export class FileTaskQueue implements TaskQueue {
  readonly isDurable = true;
  readonly #waiting: string;
  readonly #taken: string;
  #watcher: FSWatcher | undefined;
  #running = 0;
  #run: ((taskId: string) => Promise<void>) | undefined;

  /** @param concurrency how many tasks run at once here: with 0, this process only adds */
  constructor(
    directory: string,
    private readonly concurrency: number,
  ) {
    this.#waiting = join(directory, 'waiting');
    this.#taken = join(directory, 'taken');
    for (const part of [this.#waiting, this.#taken]) mkdirSync(part, { recursive: true });
  }

  start(run: (taskId: string) => Promise<void>): void {
    this.#run = run;
    this.#watcher = watch(this.#waiting, () => this.#fill());
    this.#fill();
  }

  add(taskId: string): void {
    writeFileSync(join(this.#waiting, taskId), '');
  }

  stop(): void {
    this.#run = undefined;
    this.#watcher?.close();
  }

  #fill(): void {
    const run = this.#run;
    if (run === undefined) return;
    for (const taskId of readdirSync(this.#waiting)) {
      if (this.#running >= this.concurrency) return;
      if (!this.#take(taskId)) continue;
      this.#running += 1;
      void run(taskId).finally(() => {
        this.#running -= 1;
        this.#fill();
      });
    }
  }

  #take(taskId: string): boolean {
    try {
      renameSync(join(this.#waiting, taskId), join(this.#taken, taskId));
      return true;
    } catch {
      // Another process was sooner.
      return false;
    }
  }
}
