import { filter, type Subscription } from 'rxjs';
import type { OnApplicationShutdown } from '@nestjs/common';
import { MetaKey, TASKS_EXTENSION } from '../../../../core/protocol/meta-keys.js';
import { isStringArray } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type {
  ExtensionContext,
  ExtensionSubscription,
  SubscriptionSender,
} from '../../../dispatch/extension.interface.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { CallerTasks, TaskAccess } from '../ledger/caller-tasks.js';
import { PUBLISHED_ENCODER, type TaskEncoders } from '../encoders/task-encoders.js';
import type { TaskLedger } from '../ledger/task-ledger.js';
import type { ExtensionLink } from '../extension-link.js';

/** The maximum number of tasks in one subscription. */
const MOST_TASKS = 1000;

/**
 * Lets 2026-07-28 clients subscribe to their tasks.
 *
 * @see MCP extension tasks, "Task Status Notifications"
 */
export class TaskSubscription implements ExtensionSubscription {
  readonly filter = 'taskIds';

  constructor(
    private readonly ledger: TaskLedger,
    private readonly tasks: CallerTasks,
    private readonly access: TaskAccess,
  ) {}

  /**
   * Grants the tasks that belong to the caller.
   *
   * @throws {AuthError} 403 if the token lacks a scope that a task's call required
   */
  async grant(asked: unknown, context: ExtensionContext): Promise<readonly string[]> {
    if (!context.hasExtension(TASKS_EXTENSION)) {
      throw McpError.missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });
    }
    if (!isStringArray(asked) || asked.length > MOST_TASKS) {
      throw McpError.invalidParams(
        `"notifications.taskIds" must be an array of at most ${MOST_TASKS} strings`,
      );
    }
    const found = await Promise.all([...new Set(asked)].map((taskId) => this.tasks.find(taskId, context)));
    const owned = found.filter((record) => record !== undefined);
    this.tasks.assertAllowed(owned, context);
    return owned.map(({ taskId }) => taskId);
  }

  /** Sends the current state first, because a task may have changed since the client's last poll. */
  open(granted: unknown, send: SubscriptionSender, { auth }: ExtensionContext): () => void {
    const taskIds: ReadonlySet<string> = new Set(granted as readonly string[]);
    const sent = new Map<string, number>();
    const notify = (record: TaskRecord): void => {
      if (record.version <= (sent.get(record.taskId) ?? 0)) return;
      // The handler may have required more scopes since the subscription.
      if (!this.access.allows(record, auth)) return;
      sent.set(record.taskId, record.version);
      send('notifications/tasks', PUBLISHED_ENCODER.encodeTask(record));
    };
    const subscription = this.ledger.changes$
      .pipe(filter(({ taskId }) => taskIds.has(taskId)))
      .subscribe(notify);
    const unfollow = [...taskIds].map((taskId) => this.ledger.follow(taskId));
    for (const taskId of taskIds) {
      void this.ledger.find(taskId).then(
        (record) => record && !subscription.closed && notify(record),
        () => undefined,
      );
    }
    return () => {
      subscription.unsubscribe();
      for (const end of unfollow) end();
    };
  }
}

/**
 * Notifies sessions about their tasks on the standalone SSE stream: status changes, and notifications from handlers.
 */
export class TaskNotifier implements OnApplicationShutdown {
  #subscription: Subscription | undefined;

  constructor(
    private readonly ledger: TaskLedger,
    private readonly link: ExtensionLink,
    private readonly encoders: TaskEncoders,
    private readonly access: TaskAccess,
  ) {}

  start(): void {
    this.#subscription = this.ledger.changesToNotify$.subscribe((record) => this.#notify(record));
  }

  onApplicationShutdown(): void {
    this.#subscription?.unsubscribe();
  }

  /** Forwards a notification from a task's handler. 2026-07-28 has no channel for it. */
  forward(record: TaskRecord, method: string, params: object): void {
    const { taskId, sessionId, profile } = record;
    if (sessionId === undefined || profile === 'published') return;
    const related = profile === 'core' && { _meta: { [MetaKey.relatedTask]: { taskId } } };
    this.#send(sessionId, record, method, { ...params, ...related });
  }

  /** Skips version 1, which the response to the call reports. */
  #notify(record: TaskRecord): void {
    const { sessionId, profile, version } = record;
    if (sessionId === undefined || profile === 'published' || version === 1) return;
    const task = this.encoders.get(record).encodeTask(record);
    this.#send(sessionId, record, 'notifications/tasks/status', task);
  }

  /** Skips the session's streams that were opened with a token that may not see the task. */
  #send(sessionId: string, record: TaskRecord, method: string, params: object): void {
    const scopes = this.access.findScopes(record);
    if (scopes !== undefined) this.link.handle.notifySession(sessionId, method, params, scopes);
  }
}
