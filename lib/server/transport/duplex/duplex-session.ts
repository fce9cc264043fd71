import type { Subscription } from 'rxjs';
import { recordSession } from '../../audit/record-lifecycle.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { selectTransport } from '../../settings/transport-kind.js';
import { HandshakePeer } from '../../sessions/handshake-peer.js';
import { UNKNOWN_CLIENT } from '../../sessions/unknown-client.js';
import type { Session } from '../../sessions/session.js';
import type { ScopeHolder } from '../../sessions/streams/scope-holder.interface.js';
import { STANDALONE_STREAM } from '../../sessions/streams/stream-records.js';
import type { DuplexCaller, DuplexEnd, DuplexServer } from './duplex-parts.js';

/**
 * A client's session on a duplex connection. It is opened by initialization, or assumed, because a client that
 * reconnects may continue without initializing.
 */
export class DuplexSession {
  #current: Session | undefined;
  #isAssumed = false;
  #standalone: Subscription | undefined;

  /** @param holder the reader of notifications */
  constructor(
    private readonly server: DuplexServer,
    private readonly end: DuplexEnd,
    private readonly holder: ScopeHolder,
  ) {}

  /** The session, once it is open. */
  get current(): Session | undefined {
    return this.#current;
  }

  /** Whether the client may initialize. It may do so again if its initialization was only assumed. */
  get takesHandshake(): boolean {
    return this.#current === undefined || this.#isAssumed;
  }

  createHandshake(caller: DuplexCaller): HandshakePeer {
    const { authentication, address } = caller;
    const origin = { address, longRunning: true, transport: selectTransport(caller) };
    return new HandshakePeer(this.server.sessions, authentication, origin);
  }

  /** Enters the session that initialization has opened, if any. */
  enter({ opened }: HandshakePeer): void {
    const assumed = this.#current;
    if (opened === undefined) return;
    this.#current = opened;
    this.#isAssumed = false;
    if (assumed === undefined) return;
    // Requests before initialization have no guarantees.
    for (const context of assumed.inFlight.all()) context.fail(McpError.notInitialized());
    void this.server.sessions.end(assumed, 'The client has initialized again');
  }

  /**
   * Returns a caller's session, and opens one for a caller that is assumed to be initialized.
   *
   * @throws {MemoryLimitError} if it does not fit
   */
  assume(caller: DuplexCaller): Session | undefined {
    const { assumed: revision } = caller;
    if (this.#current !== undefined || revision === undefined) return this.#current;
    const { capabilities, sessions } = this.server;
    const peer = this.createHandshake(caller);
    peer.open({ revision, client: UNKNOWN_CLIENT, declared: capabilities.build() });
    this.enter(peer);
    this.#isAssumed = true;
    const { authentication, http, isPipe } = caller;
    if (peer.opened !== undefined) {
      recordSession(this.server.audit, 'session_begun', peer.opened, {
        caller: authentication,
        http,
        isPipe,
      });
    }
    // The client sent `initialized` on a connection that is gone.
    if (this.#current !== undefined) sessions.confirm(this.#current);
    return this.#current;
  }

  /**
   * Records the sender. The first caller with a token owns the session and continues to receive its notifications.
   */
  note({ authentication }: DuplexCaller): void {
    if (this.#current !== undefined) this.#current.claims = authentication?.claims;
    if (this.#standalone?.closed === true) this.listen();
  }

  /** After initialization, notifications that do not belong to a request also use the connection. */
  listen(): void {
    const session = this.#current;
    if (session === undefined || this.#standalone?.closed === false) return;
    this.#standalone = session.streams
      .open(STANDALONE_STREAM, this.holder)
      .subscribe({ next: ({ message }) => this.end.write(message), complete: () => this.#leave(session) });
  }

  /** A session that the application has ended is closed. A session that changed its owner continues. */
  #leave(session: Session): void {
    if (!session.isEnded || this.#current !== session) return;
    this.#current = undefined;
    this.end.onSessionEnd?.();
  }

  close(reason: string): void {
    this.#standalone?.unsubscribe();
    if (this.#current !== undefined) void this.server.sessions.end(this.#current, reason);
  }
}
