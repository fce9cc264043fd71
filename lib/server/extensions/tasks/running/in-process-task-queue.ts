import { FairSlots } from '../../../../core/async/concurrency.js';
import type { TaskQueue } from '../../../settings/extensions/tasks-options.js';

/** A queued task that has not started. */
interface WaitingTask {
  readonly owner: string | undefined;
  /** Removes it from the queue; absent until the queue starts. */
  leave?: () => void;
}

/** Runs tasks in this process with limited concurrency. Owners take turns, and each owner's oldest task runs first. */
export class InProcessTaskQueue implements TaskQueue {
  readonly #slots: FairSlots;
  readonly #waiting = new Map<string, WaitingTask>();
  #run: ((taskId: string) => Promise<void>) | undefined;

  constructor(concurrency: number) {
    this.#slots = new FairSlots({ slots: concurrency, perCaller: concurrency - Math.floor(concurrency / 4) });
  }

  start(run: (taskId: string) => Promise<void>): void {
    this.#run = run;
    for (const [taskId, waiting] of this.#waiting) this.#enter(taskId, waiting);
  }

  /** @param owner the owner, who can use up to three quarters of the slots */
  add(taskId: string, owner?: string): void {
    if (this.#waiting.has(taskId)) return;
    const waiting: WaitingTask = { owner };
    this.#waiting.set(taskId, waiting);
    if (this.#run !== undefined) this.#enter(taskId, waiting);
  }

  /** Returns whether a task is queued. */
  has(taskId: string): boolean {
    return this.#waiting.has(taskId);
  }

  /** Removes a task that ended before it started. */
  remove(taskId: string): void {
    this.#waiting.get(taskId)?.leave?.();
    this.#waiting.delete(taskId);
  }

  stop(): void {
    this.#run = undefined;
    this.#waiting.clear();
  }

  #enter(taskId: string, waiting: WaitingTask): void {
    waiting.leave = this.#slots.enter({ caller: waiting.owner }, async () => {
      // The queue may have been stopped in the meantime.
      if (this.#waiting.delete(taskId)) await this.#run?.(taskId);
    });
  }
}
