import { TaskStoreUnavailableError } from '../../server/settings/extensions/task-store.error.js';
import type { RedisLink } from '../clients/redis-link.js';
import type { RedisCommands } from '../commands/redis-commands.js';
import { warnOfEviction } from '../member/warn-of-eviction.js';

/** Runs scripts for tasks. */
export class TaskCommands {
  /** Settles when the client has connected for the first time, or after a timeout. */
  #begun: Promise<void> | undefined;

  constructor(
    private readonly commands: RedisCommands,
    private readonly link: RedisLink,
    private readonly timeoutMs: number,
  ) {}

  /** @throws {TaskStoreUnavailableError} if Redis refuses it, or does not confirm it in time */
  async run(...command: Parameters<RedisCommands['run']>): Promise<unknown> {
    try {
      await (this.#begun ??= this.#begin());
      const [, [key]] = command;
      if (this.link.isReady) void warnOfEviction(this.link, key);
      return await this.commands.run(...command);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new TaskStoreUnavailableError(`The task store cannot be reached: ${reason}`, { cause });
    }
  }

  /** Waits for a client that connects while the application starts. */
  async #begin(): Promise<void> {
    if (this.link.isReady) return;
    let forget = (): void => undefined;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, this.timeoutMs);
      forget = this.link.onChange(() => {
        if (!this.link.isReady) return;
        clearTimeout(late);
        resolve();
      });
    });
    forget();
  }
}
