import { Injectable } from '@nestjs/common';
import { filter } from 'rxjs';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type {
  ExtensionContext,
  ExtensionSubscription,
  SubscriptionSender,
} from '../../../dispatch/extension.interface.js';
import { OwnedTasks } from '../ledger/owned-tasks.js';
import { PUBLISHED_WIRE } from '../wires/published-wire.js';
import { TaskLedger } from '../ledger/task-ledger.js';
import { TASKS_EXTENSION } from '../tasks-extension-id.js';

/** Tasks that one subscription may name. */
const MOST_TASKS = 1000;

/**
 * Lets clients of the stateless wire listen to their tasks.
 *
 * @see MCP extension tasks, "Task Status Notifications"
 */
@Injectable()
export class TaskSubscription implements ExtensionSubscription {
  readonly filter = 'taskIds';

  constructor(
    private readonly ledger: TaskLedger,
    private readonly tasks: OwnedTasks,
  ) {}

  /** Honours the tasks that are the caller's. */
  async honour(asked: unknown, context: ExtensionContext): Promise<readonly string[]> {
    if (!context.hasExtension(TASKS_EXTENSION)) {
      throw McpError.missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });
    }
    if (!isTexts(asked) || asked.length > MOST_TASKS) {
      throw McpError.invalidParams(`"notifications.taskIds" must be strings, ${MOST_TASKS} at most`);
    }
    const found = await Promise.all([...new Set(asked)].map((taskId) => this.tasks.find(taskId, context)));
    return found.filter((record) => record !== undefined).map(({ taskId }) => taskId);
  }

  /** Tells at once how the tasks are: one may have changed since its client looked. */
  open(honoured: unknown, send: SubscriptionSender): () => void {
    const taskIds: ReadonlySet<string> = new Set(honoured as readonly string[]);
    const told = new Map<string, number>();
    const tell = (record: Parameters<typeof PUBLISHED_WIRE.encodeTask>[0]): void => {
      if (record.version <= (told.get(record.taskId) ?? 0)) return;
      told.set(record.taskId, record.version);
      send('notifications/tasks', PUBLISHED_WIRE.encodeTask(record));
    };
    const subscription = this.ledger.changes$
      .pipe(filter(({ taskId }) => taskIds.has(taskId)))
      .subscribe(tell);
    for (const taskId of taskIds) {
      void this.ledger.find(taskId).then(
        (record) => record && !subscription.closed && tell(record),
        () => undefined,
      );
    }
    return () => subscription.unsubscribe();
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}
