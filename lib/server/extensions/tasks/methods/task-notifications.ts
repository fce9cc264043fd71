import { filter, type Subscription } from 'rxjs';
import type { OnApplicationShutdown } from '@nestjs/common';
import { TASKS_EXTENSION } from '../../../../core/protocol/extension-ids.js';
import { isStringArray } from '../../../../core/protocol/is-string-array.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { MetaKey } from '../../../../core/protocol/meta-keys.js';
import type {
  ExtensionContext,
  ExtensionSubscription,
  SubscriptionSender,
} from '../../../dispatch/extension.interface.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { OwnedTasks, TaskAccess } from '../ledger/caller-tasks.js';
import { PUBLISHED_WIRE, type TaskWires } from '../wires/task-wires.js';
import type { TaskLedger } from '../ledger/task-ledger.js';
import type { ExtensionLink } from '../extension-link.js';

/** Tasks that one subscription may name. */
const MOST_TASKS = 1000;

/**
 * Lets clients of the stateless wire listen to their tasks.
 *
 * @see MCP extension tasks, "Task Status Notifications"
 */
export class TaskSubscription implements ExtensionSubscription {
  readonly filter = 'taskIds';

  constructor(
    private readonly ledger: TaskLedger,
    private readonly tasks: OwnedTasks,
    private readonly access: TaskAccess,
  ) {}

  /**
   * Honors the tasks that are the caller's.
   *
   * @throws {AuthError} 403 if the caller's token lacks a scope that the call of one of them required
   */
  async grant(asked: unknown, context: ExtensionContext): Promise<readonly string[]> {
    if (!context.hasExtension(TASKS_EXTENSION)) {
      throw McpError.missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });
    }
    if (!isStringArray(asked) || asked.length > MOST_TASKS) {
      throw McpError.invalidParams(
        `"notifications.taskIds" must be an array of strings, ${MOST_TASKS} at most`,
      );
    }
    const found = await Promise.all([...new Set(asked)].map((taskId) => this.tasks.find(taskId, context)));
    const owned = found.filter((record) => record !== undefined);
    this.tasks.assertAllowed(owned, context);
    return owned.map(({ taskId }) => taskId);
  }

  /** Tells at once how the tasks are: one may have changed since its client looked. */
  open(granted: unknown, send: SubscriptionSender, { auth }: ExtensionContext): () => void {
    const taskIds: ReadonlySet<string> = new Set(granted as readonly string[]);
    const told = new Map<string, number>();
    const tell = (record: TaskRecord): void => {
      if (record.version <= (told.get(record.taskId) ?? 0)) return;
      // Its handler may require more than it did when the client asked for it.
      if (!this.access.allows(record, auth)) return;
      told.set(record.taskId, record.version);
      send('notifications/tasks', PUBLISHED_WIRE.encodeTask(record));
    };
    const subscription = this.ledger.changes$
      .pipe(filter(({ taskId }) => taskIds.has(taskId)))
      .subscribe(tell);
    const unfollow = [...taskIds].map((taskId) => this.ledger.follow(taskId));
    for (const taskId of taskIds) {
      void this.ledger.find(taskId).then(
        (record) => record && !subscription.closed && tell(record),
        () => undefined,
      );
    }
    return () => {
      subscription.unsubscribe();
      for (const end of unfollow) end();
    };
  }
}

/** Tells sessions of their tasks, on their standing streams: every transition, and what handlers tell. */
export class TaskTeller implements OnApplicationShutdown {
  #subscription: Subscription | undefined;

  constructor(
    private readonly ledger: TaskLedger,
    private readonly link: ExtensionLink,
    private readonly wires: TaskWires,
    private readonly access: TaskAccess,
  ) {}

  start(): void {
    this.#subscription = this.ledger.ownChanges$.subscribe((record) => this.#tellOf(record));
  }

  onApplicationShutdown(): void {
    this.#subscription?.unsubscribe();
  }

  /** Passes on what a task's handler tells; the stateless wire has no place for it. */
  tell(record: TaskRecord, method: string, params: object): void {
    const { taskId, sessionId, profile } = record;
    if (sessionId === undefined || profile === 'published') return;
    const related = profile === 'core' && { _meta: { [MetaKey.relatedTask]: { taskId } } };
    this.#send(sessionId, record, method, { ...params, ...related });
  }

  /** That a task began is the answer to its call. */
  #tellOf(record: TaskRecord): void {
    const { sessionId, profile, version } = record;
    if (sessionId === undefined || profile === 'published' || version === 1) return;
    const task = this.wires.get(record).encodeTask(record);
    this.#send(sessionId, record, 'notifications/tasks/status', task);
  }

  /** Streams of the session that were opened by a token which could not see the task do not show it either. */
  #send(sessionId: string, record: TaskRecord, method: string, params: object): void {
    const scopes = this.access.findScopes(record);
    if (scopes !== undefined) this.link.handle.notifySession(sessionId, method, params, scopes);
  }
}
