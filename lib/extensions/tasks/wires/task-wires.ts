import { Injectable } from '@nestjs/common';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import { isObject } from '../../../protocol/json-rpc.js';
import { McpError } from '../../../protocol/mcp.error.js';
import type { TaskProfile, TaskRecord, TaskSelection } from '../../../settings/task-store.interface.js';
import { ExtensionLink } from '../extension-link.js';
import { TASKS_EXTENSION } from '../tasks-extension-id.js';
import { CORE_WIRE } from './core-wire.js';
import { PUBLISHED_WIRE } from './published-wire.js';
import { createServiceWire } from './service-wire.js';
import type { TaskWire } from './task-wire.interface.js';

/** The ways in which clients see tasks. */
@Injectable()
export class TaskWires {
  readonly #wires: Readonly<Record<TaskProfile, TaskWire>>;

  constructor(private readonly link: ExtensionLink) {
    this.#wires = {
      published: PUBLISHED_WIRE,
      core: CORE_WIRE,
      service: createServiceWire((record) => this.#sealState(record)),
    };
  }

  /** Gives the way in which the task's own client sees it. */
  get({ profile }: TaskRecord): TaskWire {
    return this.#wires[profile];
  }

  /** Gives the way in which whoever asks for a task sees it: what is asked decides before what created it. */
  getFor({ profile }: TaskRecord, context: ExtensionContext): TaskWire {
    const { kind, defines } = context.revision;
    if (kind === 'perRequest') return this.#wires.published;
    if (!context.hasExtension(TASKS_EXTENSION)) return this.#wires.core;
    return this.#wires[profile === 'core' && defines.tasksCapability ? 'core' : 'service'];
  }

  /**
   * Checks what a client brought back from its last look at a task.
   *
   * @throws {McpError} -32602 where it was not made here, or for another task
   */
  assertState(taskId: string, state: unknown): void {
    if (state === undefined) return;
    const opened = typeof state === 'string' ? this.link.handle.open(state) : undefined;
    if (isObject(opened) && opened['taskId'] === taskId) return;
    throw McpError.invalidParams('"requestState" is not one that this server gave for the task');
  }

  /** Gives the cursor behind a task. */
  formatCursor({ createdAt, taskId }: TaskRecord): string {
    return this.link.handle.seal({ after: { createdAt, taskId } });
  }

  /**
   * Reads a cursor.
   *
   * @throws {McpError} -32602 where it was not made here
   */
  parseCursor(cursor: unknown): Pick<TaskSelection, 'after'> {
    if (cursor === undefined) return {};
    const opened = typeof cursor === 'string' ? this.link.handle.open(cursor) : undefined;
    if (isObject(opened) && isObject(opened['after'])) return opened;
    throw McpError.invalidParams('"cursor" is not one that this server gave');
  }

  #sealState({ taskId, version }: TaskRecord): string {
    return this.link.handle.seal({ taskId, version });
  }
}
