import type { OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { MetaKey } from '../../../../core/protocol/meta-keys.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { ExtensionLink } from '../extension-link.js';
import type { TaskAccess } from '../ledger/task-access.js';
import type { TaskLedger } from '../ledger/task-ledger.js';
import type { TaskWires } from '../wires/task-wires.js';

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
