import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { namesPerRequestVersion } from '../../../../core/protocol/headers/per-request-claim.js';
import { findRevision } from '../../../../core/protocol/revisions.js';
import type { EndedCallers } from '../../../sessions/callers/ended-callers.js';
import type { SessionRegistry } from '../../../sessions/session-registry.js';
import type { Session } from '../../../sessions/session.js';
import type { SharedSessions } from '../../../sessions/shared/shared-sessions.js';
import type { HttpExchange } from '../http-exchange.js';

/** Finds a request's session from its header (MCP 2025-11-25 basic/transports, "Session Management"). */
export class SessionLookup {
  constructor(
    private readonly sessions: SessionRegistry,
    private readonly shared: SharedSessions,
    private readonly ended: EndedCallers,
  ) {}

  /**
   * Finds a request's session and marks it as active before memory is counted, because a session must not be evicted
   * for its own request.
   */
  notice(exchange: HttpExchange): Session | undefined {
    const { headers, authentication } = exchange;
    const id = headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.sessions.find(id) : undefined;
    const isTheirs = session?.identity === undefined || session.identity === authentication?.identity;
    if (!isTheirs) return undefined;
    session?.touch();
    exchange.noticedSession = session;
    return session;
  }

  /**
   * Loads other processes' state of the session, ahead of {@link get}. Returns `undefined` if there is nothing to
   * wait for.
   */
  prepare(exchange: HttpExchange): Promise<void> | undefined {
    const id = exchange.headers['mcp-session-id'];
    if (typeof id !== 'string') return undefined;
    const taking = this.shared.recover(id, exchange);
    return taking === undefined ? this.#claim(id, exchange) : taking.then(() => this.#claim(id, exchange));
  }

  /**
   * Returns the session and marks it as active.
   *
   * @throws {McpError} with HTTP status 400 if the header is missing, 404 if the session is unknown, has ended or belongs to another caller
   * @throws {SessionLimitError} if the caller would become its owner and has reached its session limit
   * @throws {MemoryLimitError} if the caller would become its owner but has no memory for it
   */
  get(exchange: HttpExchange): Session {
    const id = exchange.headers['mcp-session-id'];
    if (id === undefined) throw createMissingIdError(exchange);
    const session = typeof id === 'string' ? this.#find(id, exchange) : undefined;
    if (session === undefined || !this.#belongs(session, exchange)) {
      throw createNotFoundError();
    }
    if (session.isRecovered && session.claims === undefined) this.#assertNotEnded(session, exchange);
    session.touch();
    session.claims = exchange.authentication?.claims;
    return session;
  }

  /** The session may have ended while the body arrived. */
  #find(id: string, exchange: HttpExchange): Session | undefined {
    const { noticedSession: noticed } = exchange;
    if (noticed?.isEnded === false && !noticed.isOver) return noticed;
    return this.sessions.findOrRecover(id, exchange);
  }

  /** This process may have recovered a session that the application has ended. */
  #assertNotEnded(session: Session, { authentication }: HttpExchange): void {
    if (!this.ended.isKnownEnded(authentication ?? {}, session.opened)) return;
    this.sessions.endHere(
      session.key,
      session.expires,
      'The application ended everything that belongs to the caller',
    );
    throw createNotFoundError();
  }

  #claim(id: string, { authentication }: HttpExchange): Promise<void> | undefined {
    const session = authentication === undefined ? undefined : this.sessions.find(id);
    return session && this.shared.claim(session, authentication?.identity ?? '');
  }

  /** A session that was opened without a token belongs to the first caller with a token, in all processes. */
  #belongs(session: Session, { authentication }: HttpExchange): boolean {
    if (session.identity === undefined && !isOfNobody(session, authentication?.identity)) return false;
    if (session.identity === undefined && authentication !== undefined) {
      this.sessions.bind(session, authentication.identity);
    }
    return session.identity === authentication?.identity;
  }
}

/** Tells the client to initialize again. */
export function createNotFoundError(): McpError {
  const text = 'Session not found: send "initialize" without "Mcp-Session-Id"';
  return new McpError(ErrorCode.InvalidRequest, text, undefined, 404);
}

/** Whether no process knows a different owner of a session. */
function isOfNobody({ shared }: Session, identity: string | undefined): boolean {
  const owner = shared?.owner;
  return owner === undefined || owner === identity;
}

/** HTTP+SSE messages name their session in the query. */
function createMissingIdError({ raw }: HttpExchange): McpError {
  if (!/[?&]sessionId=/.test(raw.url ?? '')) return McpError.notInitialized('"Mcp-Session-Id"');
  return McpError.invalidRequest(
    '"Mcp-Session-Id" is missing: "sessionId" in the URL is for HTTP+SSE, whose messages must be posted to exactly the URL in the first event of the stream. For Streamable HTTP, send "initialize" to the URL without it',
  );
}

/**
 * Checks a request's version header; the revision itself is the session's.
 *
 * @throws {McpError} with HTTP status 400 if the version is not supported
 */
export function assertHandshakeVersion({ headers }: HttpExchange): void {
  const header = headers['mcp-protocol-version'];
  if (header === undefined) return;
  if (typeof header === 'string' && findRevision(header)?.kind === 'handshake') return;
  throw McpError.invalidRequest('"MCP-Protocol-Version" names a version that is not supported');
}

/** Whether the version header names a stateless revision, which has neither GET nor DELETE. */
export function isOfPerRequestWire({ headers }: HttpExchange): boolean {
  return namesPerRequestVersion(headers['mcp-protocol-version']);
}
