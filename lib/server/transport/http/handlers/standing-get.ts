import { finalize } from 'rxjs';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { StandingClaims } from '../../../notifications/standing/standing-claims.js';
import type { StandingStreams } from '../../../notifications/standing/standing-streams.js';
import type { SubscriberViews } from '../../../notifications/subscriber-views.js';
import { STANDING_STREAM } from '../../../sessions/streams/stream-records.js';
import type { Session } from '../../../sessions/session.js';
import { formatCursor, type StreamCursor } from '../../../sessions/streams/stream-cursor.js';
import type { EventStreams } from '../streams/event-streams.js';
import type { HttpExchange } from '../http-exchange.js';
import { streamEvents } from '../streams/stream-events.js';
import { createNotFoundError } from './session-lookup.js';

/** Opens the standing stream of a session, in a server whose processes can all serve it. */
export class StandingGet {
  constructor(
    private readonly claims: StandingClaims,
    private readonly standing: StandingStreams,
    private readonly streams: EventStreams,
    private readonly views: SubscriberViews,
  ) {}

  /**
   * Opens the stream, or takes up one that was cut.
   *
   * @param after what the client has got of it
   * @throws {McpError} with HTTP status 409 if somebody reads it who lives, 404 if the session has ended meanwhile
   */
  async open(exchange: HttpExchange, session: Session, after?: StreamCursor): Promise<void> {
    if (after === undefined && session.streams.isStanding) throw createConflictError();
    const claim = await this.claims.take(session, after);
    if (claim === undefined) throw createConflictError();
    try {
      if (session.isEnded) throw createNotFoundError();
      if (this.streams.isClosed) throw McpError.shuttingDown(503);
      if (!exchange.isOpen) return this.standing.end(claim);
      const { begin } = claim;
      const { authentication } = exchange;
      this.views.keepReader(session, exchange);
      const isPrimed = session.revision.primingEvents && after === undefined && begin !== undefined;
      const writer = streamEvents(this.streams, {
        response: exchange.beginStream(),
        session,
        events$: session.streams
          .open(STANDING_STREAM, authentication)
          .pipe(finalize(() => this.standing.end(claim))),
        primingId: isPrimed ? formatCursor(begin) : undefined,
        claims: session.claims,
        isStanding: true,
      });
      if (!writer.isOpen) return this.standing.end(claim);
      this.standing.begin(claim, { response: writer.response, dismiss: () => writer.dismiss() });
    } catch (error) {
      this.standing.end(claim);
      throw error;
    }
  }
}

/** A session has one standing stream at a time (MCP 2025-11-25 basic/transports). */
export function createConflictError(): McpError {
  return McpError.invalidRequest('the session has a standing stream already', 409);
}
