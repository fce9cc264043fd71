import { isObject } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { TaskRecord, TaskSelection } from '../../../settings/extensions/task-store.interface.js';
import type { ExtensionLink } from '../extension-link.js';

/** What clients carry for the server: signed, and good for nothing else. */
export class TaskSeals {
  constructor(private readonly link: ExtensionLink) {}

  /** Gives what a client is to bring back with its next look at a task. */
  formatState({ taskId, version }: TaskRecord): string {
    return this.link.handle.sign({ taskId, version });
  }

  /**
   * Checks what a client brought back from its last look at a task.
   *
   * @throws {McpError} -32602 if it was not made here, or for another task
   */
  assertState(taskId: string, state: unknown): void {
    if (state === undefined) return;
    const opened = this.#open(state);
    if (isObject(opened) && opened['taskId'] === taskId) return;
    throw McpError.invalidParams('"requestState" is not one that this server gave for the task');
  }

  /** Returns the cursor behind a task. */
  formatCursor({ createdAt, taskId }: TaskRecord): string {
    return this.link.handle.sign({ after: { createdAt, taskId } });
  }

  /**
   * Reads a cursor.
   *
   * @throws {McpError} -32602 if it was not made here
   */
  parseCursor(cursor: unknown): Pick<TaskSelection, 'after'> {
    if (cursor === undefined) return {};
    const opened = this.#open(cursor);
    if (isObject(opened) && isObject(opened['after'])) return opened;
    throw McpError.invalidParams('"cursor" is not one that this server gave');
  }

  #open(sealed: unknown): unknown {
    return typeof sealed === 'string' ? this.link.handle.verify(sealed) : undefined;
  }
}
