import { finalize, type Observable } from 'rxjs';
import { parseAccept } from '../../../../core/protocol/headers/http-headers.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { AccessPolicy } from '../../../auth/access/access-policy.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import type { Session } from '../../../sessions/session.js';
import { parseCallEventId } from '../../../sessions/streams/call-event-id.js';
import type { StreamEvent } from '../../../sessions/streams/event-log.js';
import { formatCursor, parseCursor, type StreamCursor } from '../../../sessions/streams/stream-cursor.js';
import type { ResumptionFailure } from '../../../sessions/streams/stream-reading.interface.js';
import { STANDALONE_STREAM } from '../../../sessions/streams/stream-records.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { onClientGone } from '../connections/client-progress.js';
import { createResumptionError, type RemoteStreams } from '../cluster/remote-streams.js';
import type { EndpointPath } from '../endpoint-path.js';
import type { HttpExchange } from '../http-exchange.js';
import { refuseAccess, refuseMethod } from '../refusals.js';
import { estimateStream, type EventStreams } from '../streams/event-streams.js';
import { streamEvents } from '../streams/stream-events.js';
import {
  assertHandshakeVersion,
  createNotFoundError,
  isOfPerRequestWire,
  type SessionLookup,
} from './session-lookup.js';
import type { StreamClaims } from '../../../notifications/cluster/stream-claims.js';
import type { StandaloneStreams } from '../../../notifications/cluster/standalone-streams.js';
import type { SubscriberViews } from '../../../notifications/notification-scopes.js';

/** Sources of a GET's stream. */
interface StreamSources {
  readonly streams: EventStreams;
  readonly standalone: StandaloneStreamHandler;
  readonly remote: RemoteStreams;
}

/** Opens a session's standalone SSE stream, or resumes a stream (MCP 2025-11-25 basic/transports). */
export class GetHandler {
  constructor(
    private readonly sessions: SessionLookup,
    private readonly sources: StreamSources,
    private readonly endpoint: EndpointPath,
    private readonly access: AccessPolicy,
    private readonly bus: ClusterBus,
    private readonly settings: ServerSettings,
  ) {}

  handle(exchange: HttpExchange): void | Promise<void> {
    if (this.settings.stateless || isOfPerRequestWire(exchange)) {
      const fix = `there are no sessions with a stream that a GET could open: ${this.#describeWaysIn()}`;
      return refuseMethod(exchange, this.endpoint.listMethods(exchange.raw.url ?? ''), fix);
    }
    if (!parseAccept(exchange.headers.accept).eventStream) {
      const text = `"Accept" must allow text/event-stream: ${this.#describeWaysIn()}`;
      throw McpError.invalidRequest(text, 406);
    }
    if (this.sources.streams.isClosed) throw McpError.shuttingDown(503);
    if (exchange.headers['mcp-session-id'] === undefined) {
      throw McpError.invalidRequest(`"Mcp-Session-Id" is missing: ${this.#describeWaysIn()}`);
    }
    const arriving = this.sessions.prepare(exchange);
    return arriving === undefined ? this.#read(exchange) : arriving.then(() => this.#read(exchange));
  }

  #read(exchange: HttpExchange): void | Promise<void> {
    const session = this.sessions.get(exchange);
    assertHandshakeVersion(exchange);
    countStream(exchange, session);
    const lastEventId = exchange.headers['last-event-id'];
    if (typeof lastEventId !== 'string' || lastEventId === '') return this.#open(exchange, session);
    switch (selectResumption(lastEventId, this.bus.isShared)) {
      case 'log':
        return this.sources.standalone.open(exchange, session, parseCursor(lastEventId));
      case 'call':
        return this.#resumeCall(exchange, session, lastEventId);
      case 'here':
        return this.#resume(exchange, session, lastEventId);
    }
  }

  /** A client without a session is a browser, or expects HTTP+SSE. */
  #describeWaysIn(): string {
    const { ssePath, publicSsePath } = this.endpoint;
    const sse = ssePath === undefined ? 'HTTP+SSE is not served' : `HTTP+SSE is at "${publicSsePath}"`;
    return `this is an MCP endpoint, to which Streamable HTTP clients send POST requests; ${sse}`;
  }

  #open(exchange: HttpExchange, session: Session): void | Promise<void> {
    if (session.shared !== undefined) return this.sources.standalone.open(exchange, session);
    if (session.streams.isStandalone) {
      throw createConflictError();
    }
    const { authentication } = exchange;
    const primingId = session.revision.primingEvents
      ? session.streams.formatPosition(STANDALONE_STREAM, authentication)
      : undefined;
    const events$ = session.streams.open(STANDALONE_STREAM, authentication);
    const { claims } = session;
    const response = exchange.beginStream();
    streamEvents(this.sources.streams, { response, session, events$, primingId, claims, isStandalone: true });
  }

  #resumeCall(exchange: HttpExchange, session: Session, lastEventId: string): void | Promise<void> {
    const place = parseCallEventId(lastEventId);
    if (place === undefined) throw createResumptionError('unknown');
    if (!this.bus.isMember(place.member)) throw createResumptionError('unknown');
    const isRemote = place.member !== this.bus.member;
    if (isRemote) return this.sources.remote.resume(exchange, { session, place, lastEventId });
    return this.#resume(exchange, session, lastEventId, true);
  }

  #resume(
    exchange: HttpExchange,
    session: Session,
    lastEventId: string,
    isCall = false,
  ): void | Promise<void> {
    const { authentication } = exchange;
    const { scopes = [], showsLife = false } = session.streams.find(lastEventId) ?? {};
    const refusal = this.access.findRefusal(authentication, scopes);
    if (refusal !== undefined) return refuseAccess(exchange, refusal);
    const resumed = session.streams.resume(lastEventId, authentication);
    if (isFailure(resumed)) {
      // Another process's earlier messages are unknown here. The client continues with new ones.
      const isRemote = resumed === 'unknown' && this.settings.sessions.recover && !isCall;
      if (isRemote) return this.#open(exchange, session);
      throw createResumptionError(resumed);
    }
    // A client that loses this stream before its first event has a position to resume from.
    const primingId = isCall && session.revision.primingEvents ? lastEventId : undefined;
    const response = exchange.beginStream();
    const isStandalone = isOfStandalone(session, lastEventId);
    const { claims } = session;
    const place = { response, session, primingId, claims, isStandalone, showsLife };
    streamEvents(this.sources.streams, { ...place, events$: resumed });
  }
}

/**
 * Counts a stream's memory toward its session.
 *
 * @throws {MemoryLimitError} if it does not fit
 */
function countStream({ raw, response }: HttpExchange, { memory }: Session): void {
  const bytes = estimateStream(raw);
  memory.add(bytes, memory);
  onClientGone(response, () => memory.add(-bytes));
}

/** Event ids start with their stream name. */
function isOfStandalone({ streams }: Session, eventId: string): boolean {
  const [standalone] = streams.formatId({ stream: STANDALONE_STREAM, number: 0 }).split(':');
  return eventId.split(':')[0] === standalone;
}

function isFailure(resumed: Observable<StreamEvent> | ResumptionFailure): resumed is ResumptionFailure {
  return typeof resumed === 'string';
}

/**
 * What an event id refers to: one of this process's streams, the shared log of standalone streams, or a call's
 * stream. The ids on a call's stream name the process that runs the call.
 */
type Resumption = 'here' | 'log' | 'call';

/** Determines how to resume a stream from one of its event ids. */
function selectResumption(lastEventId: string, isShared: boolean): Resumption {
  if (!isShared) return 'here';
  if (/[-.]/.test(lastEventId)) return 'call';
  return parseCursor(lastEventId) === undefined ? 'here' : 'log';
}

/** Opens a session's standalone SSE stream in a cluster. */
export class StandaloneStreamHandler {
  constructor(
    private readonly claims: StreamClaims,
    private readonly standalone: StandaloneStreams,
    private readonly streams: EventStreams,
    private readonly views: SubscriberViews,
  ) {}

  /**
   * Opens the stream or resumes it.
   *
   * @param after the client's position
   * @throws {McpError} with HTTP status 409 if it has another live reader; 404 if the session has ended
   */
  async open(exchange: HttpExchange, session: Session, after?: StreamCursor): Promise<void> {
    if (after === undefined && session.streams.isStandalone) throw createConflictError();
    const claim = await this.claims.claim(session, after);
    if (claim === undefined) throw createConflictError();
    try {
      if (session.isEnded) throw createNotFoundError();
      if (this.streams.isClosed) throw McpError.shuttingDown(503);
      if (!exchange.isOpen) return this.standalone.end(claim);
      const { begin } = claim;
      const { authentication } = exchange;
      this.views.storeReader(session, exchange);
      const isPrimed = session.revision.primingEvents && after === undefined && begin !== undefined;
      const writer = streamEvents(this.streams, {
        response: exchange.beginStream(),
        session,
        events$: session.streams
          .open(STANDALONE_STREAM, authentication)
          .pipe(finalize(() => this.standalone.end(claim))),
        primingId: isPrimed ? formatCursor(begin) : undefined,
        claims: session.claims,
        isStandalone: true,
      });
      if (!writer.isOpen) return this.standalone.end(claim);
      this.standalone.begin(claim, { response: writer.response, dismiss: () => writer.dismiss() });
    } catch (error) {
      this.standalone.end(claim);
      throw error;
    }
  }
}

/** A session has one standalone SSE stream at a time (MCP 2025-11-25 basic/transports). */
export function createConflictError(): McpError {
  return McpError.invalidRequest('the session already has a standalone SSE stream', 409);
}
