import { FairSlots } from '../../../../core/waiting/fair-slots.js';
import type { TaskQueue } from '../../../settings/extensions/tasks-options.js';

/** What was added and has not begun. */
interface WaitingTask {
  readonly owner: string | undefined;
  /** Takes it out of the row; absent as long as there is none. */
  leave?: () => void;
}

/** Runs tasks in this process, so many at once. Owners take turns, and each has its oldest run first. */
export class InProcessTaskQueue implements TaskQueue {
  readonly #slots: FairSlots;
  readonly #waiting = new Map<string, WaitingTask>();
  #run: ((taskId: string) => Promise<void>) | undefined;

  constructor(concurrency: number) {
    this.#slots = new FairSlots({ slots: concurrency, perOwner: concurrency - Math.floor(concurrency / 4) });
  }

  start(run: (taskId: string) => Promise<void>): void {
    this.#run = run;
    for (const [taskId, waiting] of this.#waiting) this.#enter(taskId, waiting);
  }

  /** @param owner the owner whose turn it is. One owner leaves a quarter of the places to others */
  add(taskId: string, owner?: string): void {
    if (this.#waiting.has(taskId)) return;
    const waiting: WaitingTask = { owner };
    this.#waiting.set(taskId, waiting);
    if (this.#run !== undefined) this.#enter(taskId, waiting);
  }

  /** Tells whether a task waits. */
  has(taskId: string): boolean {
    return this.#waiting.has(taskId);
  }

  /** Takes out a task that is over before it has begun: there may be any number of those. */
  remove(taskId: string): void {
    this.#waiting.get(taskId)?.leave?.();
    this.#waiting.delete(taskId);
  }

  stop(): void {
    this.#run = undefined;
    this.#waiting.clear();
  }

  #enter(taskId: string, waiting: WaitingTask): void {
    waiting.leave = this.#slots.enter({ owner: waiting.owner }, async () => {
      // The queue may have been stopped meanwhile.
      if (this.#waiting.delete(taskId)) await this.#run?.(taskId);
    });
  }
}
