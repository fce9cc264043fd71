import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { TaskChange } from '../ledger/task-changes.js';
import type { TaskLedger } from '../ledger/task-ledger.js';
import { isOutOfRoom } from '../ledger/tasks-full.error.js';
import { TasksUnavailableError } from '../ledger/tasks-unavailable.error.js';

/** Milliseconds between attempts to write down what came of a task, if the store fails. */
const PAUSES_MS = [50, 250, 1000, 5000];
const LONGEST_PAUSE_MS = 5000;

/** Writes down what comes of tasks, though their store fails now and then. */
export class StoredChanges {
  /** @param stopping is aborted when the process ends: nothing is waited for then */
  constructor(
    private readonly ledger: TaskLedger,
    private readonly stopping: AbortSignal,
  ) {
    // Each task that waits listens for itself, and Node warns of more than a few.
    setMaxListeners(0, stopping);
  }

  /**
   * Changes a task; a store that fails is asked again. One that is out of reach is waited for longer.
   *
   * @param until how long that is, in milliseconds of the epoch
   */
  async make(taskId: string, change: TaskChange, until = 0): Promise<TaskRecord | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.ledger.change(taskId, change);
      } catch (error) {
        const isLast = attempt >= PAUSES_MS.length && !this.#isWaitedFor(error, until);
        if (isOutOfRoom(error) || isLast) throw error;
        await this.#pause(PAUSES_MS[attempt] ?? LONGEST_PAUSE_MS);
      }
    }
  }

  #isWaitedFor(error: unknown, until: number): boolean {
    return error instanceof TasksUnavailableError && Date.now() < until && !this.stopping.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping }).catch(() => undefined);
  }
}
