import type { AuditTrail } from '../audit/audit-trail.js';
import type { ValidatorChain } from '../auth/validators/validator-chain.js';
import type { MemoryBudget } from '../memory/memory-budget.js';
import type { ListenerRegistry } from '../notifications/listener-registry.js';
import type { ClusterBus } from '../cluster/cluster-bus.js';
import type { StatelessRequests } from '../sessions/in-flight-requests.js';
import type { SessionSlots } from '../sessions/slots/session-slots.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { Draining } from '../shutdown/draining.js';
import type { EventStreams } from '../transport/http/streams/event-streams.js';
import type { ServerStats } from './server-stats.interface.js';

/** The parts whose usage is counted. */
interface OpenParts {
  readonly slots: SessionSlots;
  readonly sessions: SessionRegistry;
  readonly detached: StatelessRequests;
  readonly listeners: ListenerRegistry;
  readonly streams: EventStreams;
}

/** The parts whose state is reported. */
interface StateParts {
  readonly validators: ValidatorChain;
  readonly bus: ClusterBus;
  readonly draining: Draining;
  readonly audit: AuditTrail;
}

/**
 * Reads a server's resource usage, for example for custom metrics.
 *
 * @example
 * constructor(private readonly stats: McpStats) {}
 *
 * report() {
 *   const { sessions, cluster } = this.stats.read();
 *   this.gauge.set({ sessions: sessions.used, lagMs: cluster?.lagMs ?? 0 });
 * }
 */
export class McpStats {
  constructor(
    private readonly open: OpenParts,
    private readonly memory: MemoryBudget,
    private readonly state: StateParts,
    private readonly settings: ServerSettings,
  ) {}

  /** Reads the current figures. */
  read(): ServerStats {
    const { sessions, streams, memory } = this.settings;
    const bus = this.state.bus.stats;
    const canStoreAudit = this.state.audit.canStore;
    return {
      sessions: { used: this.open.slots.size, limit: sessions.maxSessions },
      listeners: { used: this.open.listeners.size, limit: streams.maxListeners },
      streams: this.open.streams.size,
      running: this.#countRunning(),
      memoryBytes: { used: this.memory.used, limit: memory.maxBytes },
      isDraining: this.state.draining.hasBegun,
      canCheckTokens: this.state.validators.all.every(({ isFailing }) => isFailing !== true),
      ...(canStoreAudit !== undefined && { canStoreAudit }),
      ...(bus && { cluster: bus }),
    };
  }

  #countRunning(): number {
    let running = this.open.detached.all().length;
    for (const session of this.open.sessions.all()) if (session.isRunning) running += session.inFlight.size;
    return running;
  }
}
