import type { SharedSessions } from '../../../sessions/shared/shared-sessions.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { EndpointPath } from '../endpoint-path.js';
import type { HttpExchange } from '../http-exchange.js';
import { refuseMethod } from '../refusals.js';
import { assertHandshakeVersion, isOfPerRequestWire, type SessionLookup } from './session-lookup.js';

/** Ends a session at its client's request (MCP 2025-11-25 basic/transports, "Session Management"). */
export class DeleteHandler {
  constructor(
    private readonly sessions: SessionLookup,
    private readonly shared: SharedSessions,
    private readonly endpoint: EndpointPath,
    private readonly settings: ServerSettings,
  ) {}

  handle(exchange: HttpExchange): void | Promise<void> {
    if (this.settings.stateless || isOfPerRequestWire(exchange)) {
      return refuseMethod(exchange, this.endpoint.listMethods(exchange.raw.url ?? ''));
    }
    const arriving = this.sessions.prepare(exchange);
    return arriving === undefined ? this.#end(exchange) : arriving.then(() => this.#end(exchange));
  }

  #end(exchange: HttpExchange): void | Promise<void> {
    const session = this.sessions.get(exchange);
    assertHandshakeVersion(exchange);
    const ended = this.shared.end(session, 'The client ended the session');
    if (ended === undefined) return exchange.sendEmpty(204);
    return ended.then(() => exchange.sendEmpty(204));
  }
}
