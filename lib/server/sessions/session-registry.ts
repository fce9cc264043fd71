import { Inject, Injectable } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import { Sealer } from '../../core/sealing/sealer.js';
import { estimateText } from '../../core/protocol/measured-json.js';
import type { SessionView } from '../context/mcp-context.interface.js';
import { HeapCost } from '../memory/heap-costs.js';
import { MemoryBudget } from '../memory/memory-budget.js';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { EndedSessions } from './ended-sessions.js';
import type { EventLogBounds } from './streams/event-log.js';
import { IdleSessions } from './idle-sessions.js';
import { KeptClient } from './kept-client.js';
import { SessionPlaces } from './places/session-places.js';
import { ResourceSubscribers } from './resource-subscribers.js';
import { SessionIdCodec } from './session-id.codec.js';
import { LASTING } from './lasting.js';
import type { Negotiated } from './negotiated.interface.js';
import type { SessionStart } from './session-start.interface.js';
import { Session } from './session.js';
import { SubscriptionLimitError } from './subscription-limit.error.js';

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
  readonly #subscribers = new ResourceSubscribers<Session>();
  readonly #ended = new EndedSessions();
  readonly #events = new Subject<SessionEvent>();
  readonly #settings: ServerSettings['sessions'];
  readonly #bounds: EventLogBounds;
  readonly #ids: SessionIdCodec;
  readonly #memory: MemoryBudget;
  #latestClient: KeptClient | undefined;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(
    @Inject(SERVER_SETTINGS) settings: ServerSettings,
    sealer: Sealer = new Sealer(),
    private readonly places: SessionPlaces = new SessionPlaces(settings),
    memory: MemoryBudget = new MemoryBudget(settings),
  ) {
    const { eventLogSize: events, eventLogCharacters: characters } = settings.sessions;
    this.#settings = settings.sessions;
    this.#bounds = { events, characters };
    this.#memory = memory;
    const all = (): Iterable<Session> => this.all();
    memory.addKeeper(new IdleSessions({ places, memory, timeouts: settings.sessions, all }));
    this.#ids = new SessionIdCodec(sealer, settings.sessions.adopt, settings.mcpPath);
  }

  /** Emits each session that opens, is initialized or closes. */
  get events$(): Observable<SessionEvent> {
    return this.#events.asObservable();
  }

  /**
   * Opens a session.
   *
   * @param isLasting whether it lasts as long as its connection, which has a place of its own, rather than a time
   * @throws {SessionLimitError} if the server, or this caller, has as many as it may, and none is idle
   * @throws {MemoryLimitError} if there is no memory for it
   */
  open(negotiated: Negotiated, isLasting = false): Session {
    const expires = isLasting ? LASTING : Date.now() + this.#settings.lifetimeMs;
    return this.#add(negotiated, { id: this.#ids.format(negotiated, expires), expires }, isLasting);
  }

  /** Finds a session of this process by its id. */
  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined || session.expires > Date.now()) return session;
    this.end(session, 'The session expired');
    return undefined;
  }

  /**
   * Finds a session by the id that its client brings; one that another process opened is adopted where that is allowed.
   *
   * @param sender where the client is, which is asked for only where a session is adopted
   * @throws {SessionLimitError} where it cannot be adopted for lack of room
   */
  findOrAdopt(id: string, sender: Pick<Negotiated, 'address'> = {}): Session | undefined {
    return this.find(id) ?? this.#adopt(id, sender);
  }

  /**
   * Notes that a session is used: all it does except to shake hands and to ping. If other processes may adopt it, its client's
   * confirmation may have reached one of them: to use the session shows that it was sent.
   */
  use(session: Session): void {
    this.places.use(session);
    if (this.#settings.adopt) this.confirm(session);
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

  /**
   * Gives a session that nobody owns to a caller; what it sent before stays its own.
   *
   * @throws {SessionLimitError} if the caller has as many as it may, and none is idle; nothing has changed then
   * @throws {MemoryLimitError} if the caller has no memory for it; the same
   */
  bind(session: Session, identity: string): void {
    this.places.pass(session, identity, (leaving) => session.bind(identity, leaving));
  }

  /** Ends a session; its id is unknown from then on. */
  end(session: Session, reason: string): void {
    if (!this.#sessions.has(session.id)) return;
    if (this.#settings.adopt) this.#ended.add(session.id, session.expires);
    this.#remove(session, reason);
  }

  /** Ends a session that its client did not end: where sessions are adopted, it may be taken up again. */
  #remove(session: Session, reason: string): void {
    if (!this.#sessions.delete(session.id)) return;
    for (const uri of session.subscriptions) this.#subscribers.remove(uri, session);
    this.places.release(session);
    session.end(reason);
    session.memory.release();
    this.#events.next({ type: 'closed', session });
  }

  /** Gives the sessions that are subscribed to a resource. */
  subscribers(uri: string): Iterable<Session> {
    return this.#subscribers.get(uri);
  }

  /**
   * Subscribes a session to a resource.
   *
   * @throws {SubscriptionLimitError} where the session has as many as it may, or as many characters in them
   */
  subscribe(session: Session, uri: string): void {
    if (session.subscriptions.has(uri)) return;
    const { maximumSubscriptions, maximumSubscriptionCharacters } = this.#settings;
    if (session.subscriptions.size >= maximumSubscriptions) {
      throw new SubscriptionLimitError(maximumSubscriptions, 'subscriptions');
    }
    if (session.subscriptionCharacters + uri.length > maximumSubscriptionCharacters) {
      throw new SubscriptionLimitError(maximumSubscriptionCharacters, 'characters in subscriptions');
    }
    session.subscribe(uri);
    this.#subscribers.add(uri, session);
  }

  unsubscribe(session: Session, uri: string): void {
    if (session.unsubscribe(uri)) this.#subscribers.remove(uri, session);
  }

  /** Ends every session and stops watching for idle ones. */
  close(): void {
    clearInterval(this.#sweeper);
    for (const session of this.#sessions.values()) this.end(session, 'The server shuts down');
    this.#events.complete();
  }

  #adopt(id: string, { address }: Pick<Negotiated, 'address'>): Session | undefined {
    if (!this.#settings.adopt || this.#ended.has(id)) return undefined;
    const ticket = this.#ids.parse(id);
    if (ticket?.negotiated === undefined) return undefined;
    const { expires, negotiated } = ticket;
    return this.#add({ ...negotiated, address }, { id, expires, isAdopted: true });
  }

  #add(negotiated: Negotiated, start: SessionStart, hasPlace = false): Session {
    const client = KeptClient.keep(negotiated.client, this.#latestClient);
    this.#latestClient = client;
    const memory = this.#memory.hold(
      negotiated,
      HeapCost.session + start.id.length + estimateText(client.text),
    );
    const means = { client, memory, bounds: this.#bounds, giveUp: this.#giveUp };
    const session = new Session(negotiated, start, means);
    if (!hasPlace) this.#takePlace(session);
    this.#sessions.set(session.id, session);
    this.#sweeper ??= this.#startSweeping();
    this.#events.next({ type: 'opened', session });
    return session;
  }

  #takePlace(session: Session): void {
    try {
      this.places.take(session);
    } catch (error) {
      session.memory.release();
      throw error;
    }
  }

  readonly #giveUp = (id: string): void => {
    const session = this.#sessions.get(id);
    if (session !== undefined) this.#remove(session, 'The session made room for another');
  };

  #startSweeping(): NodeJS.Timeout {
    const { idleTimeoutMs, unusedTimeoutMs } = this.#settings;
    const period = Math.min(Math.max(Math.min(idleTimeoutMs, unusedTimeoutMs) / 4, 50), 60_000);
    let last = performance.now();
    const sweepInTime = (): void => {
      const isLate = performance.now() - last > 2 * period;
      last = performance.now();
      if (isLate) this.#forgiveSilence();
      else this.#sweep();
    };
    return setInterval(sweepInTime, period).unref();
  }

  /** A process that stood still heard nobody: what it takes for silence may wait to be read. */
  #forgiveSilence(): void {
    for (const session of this.#sessions.values()) session.keepAlive();
  }

  #sweep(): void {
    const now = Date.now();
    const deadline = performance.now() - this.#settings.idleTimeoutMs;
    const unusedDeadline = performance.now() - this.#settings.unusedTimeoutMs;
    this.#ended.sweep(now);
    for (const session of this.#sessions.values()) {
      if (session.expires <= now) this.end(session, 'The session expired');
      else if (session.isBusy) session.keepAlive();
      else if (session.isIdleSince(deadline)) this.end(session, 'The session expired');
      else if (session.isUnusedSince(unusedDeadline)) this.#remove(session, 'The session was not used');
    }
  }
}
