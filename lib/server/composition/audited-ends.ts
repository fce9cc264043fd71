import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { AuditTrail } from '../audit/audit-trail.js';
import { recordSession, recordTaskEnd } from '../audit/record-lifecycle.js';
import { isOver } from '../extensions/tasks/ledger/task-changes.js';
import type { TaskWorker } from '../extensions/tasks/ledger/task-creation.js';
import type { TaskLedger } from '../extensions/tasks/ledger/task-ledger.js';
import type { TaskRunner } from '../extensions/tasks/running/task-runner.js';
import type { TaskRecord } from '../settings/extensions/task-store.interface.js';
import type { SessionEnd } from '../sessions/session-ends.js';
import type { SessionRegistry } from '../sessions/session-registry.js';

/** Has the audit hear of what ends without a request: sessions, and tasks that did not run to their end. */
export class AuditedEnds implements OnModuleInit, OnApplicationShutdown {
  readonly #subscriptions: Subscription[] = [];

  constructor(
    private readonly trail: AuditTrail,
    private readonly sessions: SessionRegistry,
    private readonly tasks: TaskLedger,
    private readonly runner: TaskRunner,
    private readonly holder: TaskWorker,
  ) {}

  onModuleInit(): void {
    this.#subscriptions.push(
      this.sessions.ends.ends$.subscribe((end) => this.#noteSession(end)),
      this.tasks.changes$.subscribe((task) => {
        if (task.holder === this.holder.id) this.#noteTask(task);
      }),
      this.tasks.localChanges$.subscribe((task) => {
        if (this.#isOrphan(task)) this.#noteTask(task);
      }),
    );
  }

  onApplicationShutdown(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
  }

  #noteSession({ session, reason }: SessionEnd): void {
    const { claims, identity, address, opened } = session;
    recordSession(this.trail, 'session_ended', session, {
      caller: { claims, identity, address },
      reason,
      durationMs: Date.now() - opened,
    });
  }

  /** Whether no other process reports the end of a task: it had no process yet, or its process is gone. */
  #isOrphan({ holder, status }: TaskRecord): boolean {
    return holder === undefined || (holder !== this.holder.id && status === 'failed');
  }

  /** A task that runs here has an event of its run. */
  #noteTask(task: TaskRecord): void {
    if (!this.trail.isEnabled || !isOver(task) || this.runner.isRunning(task.taskId)) return;
    recordTaskEnd(this.trail, task);
  }
}
