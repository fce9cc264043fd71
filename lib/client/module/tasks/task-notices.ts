import { setTimeout as delay } from 'node:timers/promises';
import type { Observable, Subscription } from 'rxjs';
import { parseTask, type TaskAnswer } from '../../tasks/task-answer.js';
import type { ServerNotification } from '../connection/server-notification.interface.js';

/** Notifications that carry a task: of the published extension, and of sessions. */
const METHODS = new Set(['notifications/tasks', 'notifications/tasks/status']);

/** Collects the server's notices about one task between two polls. */
export class TaskNotices {
  readonly #subscription: Subscription;
  #latest: TaskAnswer | undefined;
  #wake: () => void = () => undefined;

  constructor(notifications$: Observable<ServerNotification>, { taskId, isCore }: TaskAnswer) {
    this.#subscription = notifications$.subscribe(({ method, params }) => {
      const task = METHODS.has(method) ? parseTask(params, isCore) : undefined;
      if (task?.taskId !== taskId) return;
      this.#latest = task;
      this.#wake();
    });
  }

  /** Returns the notices since the last time. If there are none, it waits for a while and then returns nothing. */
  async next(waitMs: number, signal: AbortSignal): Promise<TaskAnswer | undefined> {
    if (this.#latest === undefined) await this.#wait(waitMs, signal);
    signal.throwIfAborted();
    const latest = this.#latest;
    this.#latest = undefined;
    return latest;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  async #wait(waitMs: number, signal: AbortSignal): Promise<void> {
    const awake = new AbortController();
    this.#wake = () => awake.abort();
    const either = AbortSignal.any([awake.signal, signal]);
    // Being woken is what the wait is for; that the caller gave up is seen after it.
    await delay(waitMs, undefined, { signal: either }).catch(() => undefined);
    this.#wake = () => undefined;
  }
}
