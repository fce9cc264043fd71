import type { TaskHolders } from '../../server/settings/extensions/task-store.interface.js';
import { listTexts } from '../commands/read-texts.js';
import type { TaskCommands } from './task-commands.js';
import type { TaskKeys } from './task-keys.js';
import { LIST_HOLDERS, RENEW_HOLDER } from './task.scripts.js';

/**
 * Knows which processes live, by the clock of Redis. So a process with a wrong clock does not make others seem dead. What
 * somebody else deletes or puts back still counts until its time is over, and what somebody else writes counts no longer
 * than what this process writes.
 */
export class RedisTaskHolders implements TaskHolders {
  /** Until when each process said that it lives, in milliseconds of the epoch. */
  readonly #known = new Map<string, number>();
  /** The most milliseconds for which this process has said at once that it lives. */
  #longestMs: number | undefined;

  constructor(
    private readonly commands: TaskCommands,
    private readonly keys: TaskKeys,
  ) {}

  async renew(holder: string, until: number): Promise<void> {
    const fromNow = until - Date.now();
    this.#longestMs = Math.max(fromNow, this.#longestMs ?? 0);
    const values = [holder, `${fromNow}`];
    const wasThere = Number(await this.commands.run(RENEW_HOLDER, [this.keys.holders], values)) === 1;
    if (!wasThere && this.#known.has(holder)) this.#spare(until);
  }

  async list(now: number): Promise<readonly string[]> {
    const fromNow = `${now - Date.now()}`;
    const found = listTexts(await this.commands.run(LIST_HOLDERS, [this.keys.holders], [fromNow]));
    for (let index = 0; index < found.length; index += 2) {
      const leftMs = Math.min(Number(found[index + 1]), this.#longestMs ?? Number.POSITIVE_INFINITY);
      this.#extend(found[index] ?? '', Date.now() + leftMs);
    }
    for (const [holder, until] of this.#known) if (until < now) this.#known.delete(holder);
    return [...this.#known.keys()];
  }

  /** Whoever deleted what this process said has deleted what the others said, too: they get time to say it again. */
  #spare(until: number): void {
    for (const holder of this.#known.keys()) this.#extend(holder, until);
  }

  #extend(holder: string, until: number): void {
    this.#known.set(holder, Math.max(until, this.#known.get(holder) ?? 0));
  }
}
