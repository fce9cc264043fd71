import { FairSlots } from '../../../../core/waiting/fair-slots.js';
import type { TaskQueue } from '../../../settings/extensions/tasks-options.interface.js';

/** Runs tasks in this process, so many at once. Owners take turns, and each has its oldest run first. */
export class InProcessTaskQueue implements TaskQueue {
  readonly #slots: FairSlots;
  /** What was added and has not begun. */
  readonly #waiting = new Map<string, string | undefined>();
  #run: ((taskId: string) => Promise<void>) | undefined;

  constructor(concurrency: number) {
    this.#slots = new FairSlots({ slots: concurrency, perOwner: concurrency - Math.floor(concurrency / 4) });
  }

  start(run: (taskId: string) => Promise<void>): void {
    this.#run = run;
    for (const [taskId, owner] of this.#waiting) void this.#runInTurn(taskId, owner);
  }

  /** @param owner whose turn it is; one owner leaves a quarter of what runs at once to others */
  add(taskId: string, owner?: string): void {
    if (this.#waiting.has(taskId)) return;
    this.#waiting.set(taskId, owner);
    if (this.#run !== undefined) void this.#runInTurn(taskId, owner);
  }

  stop(): void {
    this.#run = undefined;
    this.#waiting.clear();
  }

  #runInTurn(taskId: string, owner: string | undefined): Promise<void> {
    return this.#slots.run({ owner }, async () => {
      // The queue may have been stopped meanwhile.
      if (this.#waiting.delete(taskId)) await this.#run?.(taskId);
    });
  }
}
