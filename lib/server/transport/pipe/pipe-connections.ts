import { Inject, Injectable } from '@nestjs/common';
import { Dispatcher } from '../../dispatch/dispatcher.js';
import { MethodTable } from '../../dispatch/method-table.js';
import { MemoryBudget } from '../../memory/memory-budget.js';
import { CapabilitiesDeclaration } from '../../methods/capabilities-declaration.js';
import { ListenerRegistry } from '../../notifications/listener-registry.js';
import { DetachedRequests } from '../../sessions/in-flight-requests.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import { SERVER_SETTINGS, SERVER_TELEMETRY } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { ServerTelemetry } from '../../telemetry/server-telemetry.js';
import { PipeConnection } from './pipe-connection.js';
import type { PipeHearing } from './pipe-parts.interface.js';
import type { CountUnread, WriteMessage } from './pipe-reply.js';

/** Connects clients to a server by pipes of any kind. */
@Injectable()
export class PipeConnections {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly methods: MethodTable,
    private readonly capabilities: CapabilitiesDeclaration,
    private readonly listeners: ListenerRegistry,
    private readonly sessions: SessionRegistry,
    private readonly detached: DetachedRequests,
    private readonly memory: MemoryBudget,
    @Inject(SERVER_TELEMETRY) private readonly telemetry: ServerTelemetry | undefined,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  /**
   * Connects a client: what is sent to it goes to a function.
   *
   * @param countUnread counts what waits for the client; nothing does by default
   * @param hearing hears what becomes of it
   */
  open(write: WriteMessage, countUnread: CountUnread = () => 0, hearing: PipeHearing = {}): PipeConnection {
    const { dispatcher, methods, capabilities, listeners, sessions, settings, detached, memory, telemetry } =
      this;
    const server = {
      dispatcher,
      methods,
      capabilities,
      listeners,
      sessions,
      settings,
      detached,
      memory,
      telemetry,
    };
    return new PipeConnection(server, { write, countUnread, ...hearing });
  }
}
