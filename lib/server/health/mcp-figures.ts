import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { ValidatorChain } from '../auth/validators/validator-chain.js';
import { MemoryBudget } from '../memory/memory-budget.js';
import { ListenerRegistry } from '../notifications/listener-registry.js';
import { Relay } from '../relay/relay.js';
import { DetachedRequests } from '../sessions/in-flight-requests.js';
import { SessionPlaces } from '../sessions/places/session-places.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { Draining } from '../shutdown/draining.js';
import { EventStreams } from '../transport/http/streams/event-streams.js';
import type { ServerFigures } from './server-figures.interface.js';

/**
 * Reads what a server has in use, for your own metrics.
 *
 * @example
 * constructor(private readonly figures: McpFigures) {}
 *
 * report() {
 *   const { sessions, relay } = this.figures.read();
 *   this.gauge.set({ sessions: sessions.used, lagMs: relay?.lagMs ?? 0 });
 * }
 */
@Injectable()
export class McpFigures {
  constructor(
    private readonly places: SessionPlaces,
    private readonly sessions: SessionRegistry,
    private readonly detached: DetachedRequests,
    private readonly listeners: ListenerRegistry,
    private readonly streams: EventStreams,
    private readonly memory: MemoryBudget,
    private readonly validators: ValidatorChain,
    private readonly relay: Relay,
    private readonly draining: Draining,
    private readonly audit: AuditTrail,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  /** Reads the current figures. */
  read(): ServerFigures {
    const { sessions, streams, memory } = this.settings;
    const relay = this.relay.figures;
    const canKeepAudit = this.audit.canKeep;
    return {
      sessions: { used: this.places.size, most: sessions.maximumSessions },
      listeners: { used: this.listeners.size, most: streams.maximumListeners },
      streams: this.streams.size,
      running: this.#countRunning(),
      memoryBytes: { used: this.memory.used, most: memory.maximumBytes },
      isDraining: this.draining.hasBegun,
      canCheckTokens: this.validators.all.every(({ isFailing }) => isFailing !== true),
      ...(canKeepAudit !== undefined && { canKeepAudit }),
      ...(relay && { relay }),
    };
  }

  #countRunning(): number {
    let running = this.detached.all().length;
    for (const session of this.sessions.all()) if (session.isRunning) running += session.inFlight.size;
    return running;
  }
}
