import type { TaskHolders } from '../../server/settings/extensions/task-store.interface.js';
import { listTexts } from '../commands/read-texts.js';
import type { TaskCommands } from './task-commands.js';
import type { TaskKeys } from './task-keys.js';
import { LIST_HOLDERS, RENEW_HOLDER } from './task.scripts.js';

/**
 * Knows which processes live, by the clock of Redis. So a process with a wrong clock does not make others seem dead, and
 * what somebody else deletes, or replaces by something earlier, still counts until its time is over.
 */
export class RedisTaskHolders implements TaskHolders {
  /** Until when each process said that it lives, in milliseconds of the epoch. */
  readonly #known = new Map<string, number>();

  constructor(
    private readonly commands: TaskCommands,
    private readonly keys: TaskKeys,
  ) {}

  async renew(holder: string, until: number): Promise<boolean> {
    const values = [holder, `${until - Date.now()}`];
    const wasThere = Number(await this.commands.run(RENEW_HOLDER, [this.keys.holders], values)) === 1;
    const isLost = !wasThere && this.#known.has(holder);
    if (isLost) this.#spare(until);
    return !isLost;
  }

  async list(now: number): Promise<readonly string[]> {
    const fromNow = `${now - Date.now()}`;
    const found = listTexts(await this.commands.run(LIST_HOLDERS, [this.keys.holders], [fromNow]));
    for (let index = 0; index < found.length; index += 2) {
      this.#extend(found[index] ?? '', Date.now() + Number(found[index + 1]));
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
