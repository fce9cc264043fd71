import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Refusals } from '../../audit/refusals.js';
import { MethodTable } from '../../dispatch/method-table.js';
import { Pipeline } from '../../dispatch/pipeline.js';
import { MemoryBudget } from '../../memory/memory-budget.js';
import { CapabilitiesDeclaration } from '../../methods/capabilities-declaration.js';
import { ListenerRegistry } from '../../notifications/listener-registry.js';
import { DetachedRequests } from '../../sessions/in-flight-requests.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { PipeConnection } from './pipe-connection.js';
import type { PipeHearing } from './pipe-parts.interface.js';
import type { CountUnread, WriteMessage } from './pipe-reply.js';

/** Connects clients to a server by pipes of any kind. */
@Injectable()
export class PipeConnections {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly methods: MethodTable,
    private readonly capabilities: CapabilitiesDeclaration,
    private readonly listeners: ListenerRegistry,
    private readonly sessions: SessionRegistry,
    private readonly detached: DetachedRequests,
    private readonly memory: MemoryBudget,
    private readonly refusals: Refusals,
    private readonly audit: AuditTrail,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  /**
   * Connects a client: what is sent to it goes to a function.
   *
   * @param countUnread counts what waits for the client; nothing does by default
   * @param hearing hears what becomes of it
   */
  open(write: WriteMessage, countUnread: CountUnread = () => 0, hearing: PipeHearing = {}): PipeConnection {
    const { pipeline, methods, capabilities, listeners, sessions, settings, detached, memory } = this;
    const { refusals, audit } = this;
    const parts = { pipeline, methods, capabilities, listeners, sessions, settings, detached, memory };
    return new PipeConnection({ ...parts, refusals, audit }, { write, countUnread, ...hearing });
  }
}
