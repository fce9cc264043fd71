import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import type { SessionView } from '../context/mcp-context.interface.js';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { Session, type Negotiated } from './session.js';
import { SessionLimitError, SubscriptionLimitError } from './session-limit.error.js';

/** A step in a session's life. */
export interface SessionEvent {
  /** `initialized` is when the client has confirmed the handshake. */
  readonly type: 'opened' | 'initialized' | 'closed';
  /** The session, which is still readable when it is closed. */
  readonly session: SessionView;
}

/** The sessions of one server: finds them by id and by what they subscribed to, and ends those that fell silent. */
@Injectable()
export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  readonly #subscribers = new Map<string, Set<Session>>();
  readonly #events = new Subject<SessionEvent>();
  readonly #settings: ServerSettings['sessions'];
  #sweeper: NodeJS.Timeout | undefined;

  constructor(@Inject(SERVER_SETTINGS) settings: ServerSettings) {
    this.#settings = settings.sessions;
  }

  /** Emits each session that opens, is initialized or closes. */
  get events$(): Observable<SessionEvent> {
    return this.#events.asObservable();
  }

  /**
   * Opens a session.
   *
   * @throws {SessionLimitError} where the server has as many as it may
   */
  open(negotiated: Negotiated): Session {
    if (this.#sessions.size >= this.#settings.maximumSessions) this.#sweep();
    if (this.#sessions.size >= this.#settings.maximumSessions) throw new SessionLimitError();
    const { eventLogSize: events, eventLogCharacters: characters } = this.#settings;
    const session = new Session(randomUUID(), negotiated, { events, characters });
    this.#sessions.set(session.id, session);
    this.#sweeper ??= this.#startSweeping();
    this.#events.next({ type: 'opened', session });
    return session;
  }

  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  all(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** Notes that a session's client has confirmed the handshake. */
  confirm(session: Session): void {
    if (session.isLive) return;
    session.confirm();
    this.#events.next({ type: 'initialized', session });
  }

  /** Ends a session; its id is unknown from then on. */
  end(session: Session, reason: string): void {
    if (!this.#sessions.delete(session.id)) return;
    for (const uri of session.subscriptions) this.#removeSubscriber(uri, session);
    session.end(reason);
    this.#events.next({ type: 'closed', session });
  }

  /** Gives the sessions that are subscribed to a resource. */
  subscribers(uri: string): Iterable<Session> {
    return this.#subscribers.get(uri) ?? [];
  }

  /**
   * Subscribes a session to a resource.
   *
   * @throws {SubscriptionLimitError} where the session has as many as it may
   */
  subscribe(session: Session, uri: string): void {
    if (session.subscriptions.has(uri)) return;
    const { maximumSubscriptions } = this.#settings;
    if (session.subscriptions.size >= maximumSubscriptions) {
      throw new SubscriptionLimitError(maximumSubscriptions);
    }
    session.subscriptions.add(uri);
    const subscribers = this.#subscribers.get(uri);
    if (subscribers === undefined) this.#subscribers.set(uri, new Set([session]));
    else subscribers.add(session);
  }

  unsubscribe(session: Session, uri: string): void {
    if (session.subscriptions.delete(uri)) this.#removeSubscriber(uri, session);
  }

  /** Ends every session and stops watching for idle ones. */
  close(): void {
    clearInterval(this.#sweeper);
    for (const session of this.#sessions.values()) this.end(session, 'The server shuts down');
    this.#events.complete();
  }

  #removeSubscriber(uri: string, session: Session): void {
    const subscribers = this.#subscribers.get(uri);
    if (subscribers === undefined) return;
    subscribers.delete(session);
    if (subscribers.size === 0) this.#subscribers.delete(uri);
  }

  #startSweeping(): NodeJS.Timeout {
    const period = Math.min(Math.max(this.#settings.idleTimeoutMs / 4, 50), 60_000);
    return setInterval(() => this.#sweep(), period).unref();
  }

  #sweep(): void {
    const deadline = Date.now() - this.#settings.idleTimeoutMs;
    for (const session of this.#sessions.values()) {
      if (session.isBusy) session.touch();
      else if (session.isIdleSince(deadline)) this.end(session, 'The session expired');
    }
  }
}
