import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import type { SessionView } from '../context/mcp-context.interface.js';
import { isOver } from '../extensions/tasks/ledger/task-changes.js';
import type { TaskWorker } from '../extensions/tasks/ledger/task-creation.js';
import type { TaskLedger } from '../extensions/tasks/ledger/task-ledger.js';
import type { ClusterBus } from '../cluster/cluster-bus.js';
import type { SessionEvent } from '../sessions/session-event.interface.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { ClusterGauges, type Gauges } from '../telemetry/instruments.js';
import type { ServerTelemetry } from '../telemetry/server-telemetry.js';
import type { EventStreams } from '../transport/http/streams/event-streams.js';

/** Records metrics about a server's sessions, streams and tasks. */
export class ServerInstruments implements OnModuleInit, OnApplicationShutdown {
  readonly #openedAt = new Map<SessionView, number>();
  readonly #subscriptions: Subscription[] = [];
  #gauges: Gauges | undefined;
  #clusterGauges: ClusterGauges | undefined;

  constructor(
    private readonly sessions: SessionRegistry,
    private readonly streams: EventStreams,
    private readonly tasks: TaskLedger,
    private readonly holder: TaskWorker,
    private readonly bus: ClusterBus,
    private readonly settings: ServerSettings,
    private readonly telemetry?: ServerTelemetry,
  ) {}

  onModuleInit(): void {
    const { telemetry } = this;
    const meter = telemetry?.telemetry.meter;
    if (telemetry === undefined || meter === undefined) return;
    this.#subscriptions.push(
      this.sessions.events$.subscribe((event) => this.#noteSession(telemetry, event)),
      this.tasks.changes$.subscribe((task) => {
        if (isOver(task) && task.worker === this.holder.id) telemetry.recordTaskEnd(task.status);
      }),
    );
    this.#gauges = telemetry.observe({
      sessions: () => this.#openedAt.size,
      streams: () => this.streams.size,
      queuedBytes: () => this.streams.queuedBytes,
      ...(this.settings.tasks !== undefined && { tasks: () => this.#countTasks() }),
    });
    if (this.bus.isShared) {
      this.#clusterGauges = new ClusterGauges(meter, () => this.bus.stats, telemetry.serverAttributes);
    }
  }

  onApplicationShutdown(): void {
    this.#gauges?.stop();
    this.#clusterGauges?.stop();
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
  }

  #noteSession(telemetry: ServerTelemetry, { type, session }: SessionEvent): void {
    if (type === 'opened') this.#openedAt.set(session, performance.now());
    if (type !== 'closed') return;
    const openedAt = this.#openedAt.get(session);
    this.#openedAt.delete(session);
    if (openedAt !== undefined) telemetry.recordSession(session, (performance.now() - openedAt) / 1000);
  }

  /** Counts this process's open tasks per status. Other processes count their own. */
  async #countTasks(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map([
      ['working', 0],
      ['input_required', 0],
    ]);
    for (const { status, worker: holder } of await this.tasks.listOpen()) {
      if (holder === this.holder.id) counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    return counts;
  }
}
