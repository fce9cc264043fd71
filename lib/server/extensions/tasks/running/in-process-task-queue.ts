import type { TaskQueue } from '../../../settings/extensions/tasks-options.interface.js';

/** Runs tasks in this process, the oldest first and so many at once. */
export class InProcessTaskQueue implements TaskQueue {
  readonly #waiting = new Set<string>();
  #running = 0;
  #run: ((taskId: string) => Promise<void>) | undefined;

  constructor(private readonly concurrency: number) {}

  start(run: (taskId: string) => Promise<void>): void {
    this.#run = run;
    this.#fill();
  }

  add(taskId: string): void {
    this.#waiting.add(taskId);
    this.#fill();
  }

  stop(): void {
    this.#run = undefined;
    this.#waiting.clear();
  }

  #fill(): void {
    const run = this.#run;
    if (run === undefined) return;
    for (const taskId of this.#waiting) {
      if (this.#running >= this.concurrency) return;
      this.#waiting.delete(taskId);
      this.#running += 1;
      void run(taskId).finally(() => {
        this.#running -= 1;
        this.#fill();
      });
    }
  }
}
