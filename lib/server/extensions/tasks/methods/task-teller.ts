import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { MetaKey } from '../../../../core/protocol/meta-keys.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { ExtensionLink } from '../extension-link.js';
import { TaskLedger } from '../ledger/task-ledger.js';
import { TaskWires } from '../wires/task-wires.js';

/** Tells sessions of their tasks, on their standing streams: every transition, and what handlers tell. */
@Injectable()
export class TaskTeller implements OnApplicationShutdown {
  #subscription: Subscription | undefined;

  constructor(
    private readonly ledger: TaskLedger,
    private readonly link: ExtensionLink,
    private readonly wires: TaskWires,
  ) {}

  start(): void {
    this.#subscription = this.ledger.changes$.subscribe((record) => this.#tellOf(record));
  }

  onApplicationShutdown(): void {
    this.#subscription?.unsubscribe();
  }

  /** Passes on what a task's handler tells; the stateless wire has no place for it. */
  tell({ taskId, sessionId, profile }: TaskRecord, method: string, params: object): void {
    if (sessionId === undefined || profile === 'published') return;
    const related = profile === 'core' && { _meta: { [MetaKey.relatedTask]: { taskId } } };
    this.link.handle.tell(sessionId, method, { ...params, ...related });
  }

  /** That a task began is the answer to its call. */
  #tellOf(record: TaskRecord): void {
    const { sessionId, profile, version } = record;
    if (sessionId === undefined || profile === 'published' || version === 1) return;
    const task = this.wires.get(record).encodeTask(record);
    this.link.handle.tell(sessionId, 'notifications/tasks/status', task);
  }
}
