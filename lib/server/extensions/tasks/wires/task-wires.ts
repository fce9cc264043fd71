import { TASKS_EXTENSION } from '../../../../core/protocol/extension-ids.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { TaskProfile, TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { CORE_WIRE } from './core-wire.js';
import { PUBLISHED_WIRE } from './published-wire.js';
import { createServiceWire } from './service-wire.js';
import type { TaskSeals } from './task-seals.js';
import type { TaskWire } from './task-wire.interface.js';

/** The ways in which clients see tasks. */
export class TaskWires {
  readonly #wires: Readonly<Record<TaskProfile, TaskWire>>;

  constructor(seals: TaskSeals) {
    this.#wires = {
      published: PUBLISHED_WIRE,
      core: CORE_WIRE,
      service: createServiceWire((record) => seals.formatState(record)),
    };
  }

  /** Returns the way in which the task's own client sees it. */
  get({ profile }: TaskRecord): TaskWire {
    return this.#wires[profile];
  }

  /** Returns the form in which a requester sees a task. The request decides first, and then the way in which the task was created. */
  getFor({ profile }: TaskRecord, context: ExtensionContext): TaskWire {
    const { kind, defines } = context.revision;
    if (kind === 'perRequest') return this.#wires.published;
    if (!context.hasExtension(TASKS_EXTENSION)) return this.#wires.core;
    return this.#wires[profile === 'core' && defines.tasksCapability ? 'core' : 'service'];
  }
}
