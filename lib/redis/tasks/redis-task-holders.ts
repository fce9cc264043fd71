import type { TaskHolders } from '../../server/settings/extensions/task-store.interface.js';
import { listTexts } from '../commands/read-texts.js';
import type { TaskCommands } from './task-commands.js';
import type { TaskKeys } from './task-keys.js';
import { LIST_HOLDERS, RENEW_HOLDER } from './task.scripts.js';

/** Knows which processes live, by the clock of Redis. So a process with a wrong clock does not make others seem dead. */
export class RedisTaskHolders implements TaskHolders {
  constructor(
    private readonly commands: TaskCommands,
    private readonly keys: TaskKeys,
  ) {}

  async renew(holder: string, until: number): Promise<void> {
    await this.commands.run(RENEW_HOLDER, [this.keys.holders], [holder, `${until - Date.now()}`]);
  }

  async list(now: number): Promise<readonly string[]> {
    const fromNow = `${now - Date.now()}`;
    return listTexts(await this.commands.run(LIST_HOLDERS, [this.keys.holders], [fromNow]));
  }
}
