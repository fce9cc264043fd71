import { type Observable, Subject } from 'rxjs';
import { estimateText } from '../../core/protocol/measured-json.js';
import { Sealer } from '../../core/sealing/sealer.js';
import { HeapCost } from '../memory/memory-limits.js';
import { MemoryBudget } from '../memory/memory-budget.js';
import { LocalBus } from '../cluster/local-bus.js';
import type { ClusterBus } from '../cluster/cluster-bus.js';
import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { IdleSessions } from './idle-sessions.js';
import { StoredClient } from './stored-client.js';
import { NO_EXPIRY } from './no-expiry.js';
import type { Negotiated } from './negotiated.interface.js';
import { SessionSlots } from './slots/session-slots.js';
import { ResourceSubscribers } from './resource-subscribers.js';
import { SessionEnds } from './session-ends.js';
import type { SessionEvent } from './session-event.interface.js';
import { SessionIdCodec, type SessionTicket } from './session-id.codec.js';
import { readSessionKey, Session } from './session.js';
import type { SessionStart } from './session-start.interface.js';
import { SessionUpdates } from './shared/session-updates.js';
import { noteUse } from './shared/session-record.js';
import { SharedPart } from './shared/shared-part.js';
import type { EventLogLimits } from './streams/event-log.js';
import { assertRoom } from './subscription-limits.js';
import type { InboundMessage } from '../../core/protocol/parse-message.js';

/** The sessions to check, and how to end or remove them. */
interface ExpirableSessions {
  all(): Iterable<Session>;
  /** Ends a session that must no longer be used. */
  expire(session: Session): void;
  /** Ends a session whose client has been silent for too long. */
  leave(session: Session): void;
  /** Ends a session that has not been used since it was initialized. */
  removeUnused(session: Session): void;
  /** Removes entries that have expired by a time, in milliseconds since the epoch. */
  forget(now: number): void;
}

/** Periodically checks which sessions have ended, starting with the first session. */
class SessionSweeper {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: Pick<ServerSettings['sessions'], 'idleTimeoutMs' | 'unusedTimeoutMs'>,
    private readonly sessions: ExpirableSessions,
  ) {}

  start(): void {
    this.#timer ??= this.#startSweeping();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #startSweeping(): NodeJS.Timeout {
    const { idleTimeoutMs, unusedTimeoutMs } = this.settings;
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

  /** A process that was suspended received nothing, so clients that seem silent may have sent messages in the meantime. */
  #forgiveSilence(): void {
    for (const session of this.sessions.all()) session.keepAlive();
  }

  #sweep(): void {
    const now = Date.now();
    const deadline = performance.now() - this.settings.idleTimeoutMs;
    const unusedDeadline = performance.now() - this.settings.unusedTimeoutMs;
    this.sessions.forget(now);
    for (const session of this.sessions.all()) {
      if (session.expires <= now) this.sessions.expire(session);
      else if (session.isBusy) session.keepAlive();
      else if (session.isIdleSince(deadline)) this.sessions.leave(session);
      else if (session.isUnusedSince(unusedDeadline)) this.sessions.removeUnused(session);
    }
  }
}

/** The sessions to notify of changes in this process, indexed by subscription. */
class SessionRecipients {
  readonly #sessions = new Set<Session>();
  readonly resources = new ResourceSubscribers<Session>();

  /**
   * @param sessions all of the process's sessions, if it stores their pending messages itself, in which case all are
   * notified
   */
  constructor(private readonly sessions?: ReadonlyMap<string, Session>) {}

  all(): Iterable<Session> {
    return this.sessions?.values() ?? this.#sessions;
  }

  /** Starts notifying a session. */
  add(session: Session): void {
    if (this.has(session)) return;
    this.#sessions.add(session);
    for (const uri of session.subscriptions) this.resources.add(uri, session);
  }

  remove(session: Session): void {
    this.#sessions.delete(session);
    for (const uri of session.subscriptions) this.resources.remove(uri, session);
  }

  /** Records a session's subscription. */
  subscribe(session: Session, uri: string): void {
    if (this.has(session)) this.resources.add(uri, session);
  }

  unsubscribe(session: Session, uri: string): void {
    this.resources.remove(uri, session);
  }

  has(session: Session): boolean {
    return this.sessions !== undefined || this.#sessions.has(session);
  }
}

/** The maximum number of remembered sessions; the oldest are forgotten first. */
const MOST_REMEMBERED = 100_000;

/** Remembers, until their ids expire, which sessions have ended. */
class EndedSessions {
  /** Expiry times, keyed by session key. */
  readonly #expiries = new Map<string, number>();

  add(key: string, expires: number): void {
    this.#expiries.set(copyText(key), expires);
    if (this.#expiries.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#expiries.keys();
    if (oldest !== undefined) this.#expiries.delete(oldest);
  }

  has(key: string): boolean {
    return this.#expiries.has(key);
  }

  list(): readonly (readonly [key: string, expires: number])[] {
    return [...this.#expiries];
  }

  /** Forgets sessions whose ids have expired. */
  sweep(now: number): void {
    for (const [key, expires] of this.#expiries) if (expires <= now) this.#expiries.delete(key);
  }
}

/** Copies a key, because it is a slice of an id and V8 retains the whole id for as long as the slice. */
function copyText(key: string): string {
  return Buffer.from(key).toString();
}

const EXPIRED = 'The session expired';

/** One server's sessions. Finds sessions for ids and subscriptions, and ends idle ones. */
export class SessionRegistry {
  /** Sessions, indexed by key. */
  readonly #sessions = new Map<string, Session>();
  /** Sessions that have ended and whose ids have not expired. */
  readonly ended = new EndedSessions();
  readonly #events = new Subject<SessionEvent>();
  readonly #settings: ServerSettings['sessions'];
  readonly #limits: EventLogLimits;
  readonly #ids: SessionIdCodec;
  readonly #memory: MemoryBudget;
  #latestClient: StoredClient | undefined;
  readonly #sweeper: SessionSweeper;
  readonly ends: SessionEnds;
  /** The sessions to notify of changes in this process. */
  readonly recipients: SessionRecipients;

  constructor(
    settings: ServerSettings,
    sealer: Sealer = new Sealer(),
    private readonly slots: SessionSlots = new SessionSlots(settings),
    memory: MemoryBudget = new MemoryBudget(settings),
    private readonly bus: ClusterBus = new LocalBus(),
    private readonly updates: SessionUpdates = new SessionUpdates(bus),
  ) {
    this.#settings = settings.sessions;
    this.ends = new SessionEnds(settings.sessions);
    this.#limits = { events: this.#settings.eventLogSize, characters: this.#settings.eventLogCharacters };
    this.#memory = memory;
    const all = (): Iterable<Session> => this.all();
    memory.addEvictor(new IdleSessions({ slots, memory, timeouts: settings.sessions, all }));
    this.#ids = new SessionIdCodec(sealer, settings.sessions.recover, settings.mcpPath);
    this.recipients = new SessionRecipients(bus.isShared ? undefined : this.#sessions);
    this.#sweeper = new SessionSweeper(settings.sessions, {
      all,
      expire: (session) => void this.end(session, EXPIRED),
      leave: (session) => this.#leave(session),
      removeUnused: (session) => this.#remove(session, 'The session was not used'),
      forget: (now) => this.ended.sweep(now),
    });
  }

  /** Emits when a session opens, is initialized or closes. */
  get events$(): Observable<SessionEvent> {
    return this.#events.asObservable();
  }

  /**
   * Opens a session.
   *
   * @param longRunning whether it lasts as long as its connection, which has a separate slot, rather than for a
   *   fixed time
   * @throws {SessionLimitError} if the server or this caller has reached its limit, and no session is idle
   * @throws {MemoryLimitError} if there is not enough memory for it
   */
  open(negotiated: Negotiated, longRunning = false): Session {
    const expires = longRunning ? NO_EXPIRY : Date.now() + this.#settings.lifetimeMs;
    // Compared with times that other processes record.
    const { position, now: opened } = this.bus;
    const id = this.#ids.format(negotiated, expires, { opened, begin: position });
    const shared = longRunning ? undefined : SharedPart.create(this.bus, position);
    const session = this.#add(negotiated, { id, opened, expires, shared }, longRunning);
    if (longRunning) this.recipients.add(session);
    return session;
  }

  /** Finds this process's session for an id. */
  find(id: string): Session | undefined {
    const session = this.findByKey(readSessionKey(id));
    return session?.id === id ? session : undefined;
  }

  /** Finds this process's session for a key. */
  findByKey(key: string): Session | undefined {
    const session = this.#sessions.get(key);
    if (session === undefined || session.expires > Date.now()) return session;
    void this.end(session, EXPIRED);
    return undefined;
  }

  /** Reads a session id that another process may have issued. Returns `undefined` if it is invalid or its session has ended. */
  readTicket(id: string): SessionTicket | undefined {
    const ticket = this.#ids.parse(id);
    return ticket === undefined || this.ended.has(ticket.nonce) ? undefined : ticket;
  }

  /**
   * Finds the session for a request's session id. Another process's session is recovered if the settings allow it.
   *
   * @param sender the client's address, which is read only if a session is recovered
   * @throws {SessionLimitError} if it cannot be recovered because a limit is reached
   */
  findOrRecover(id: string, sender: Pick<Negotiated, 'address'> = {}): Session | undefined {
    return this.find(id) ?? this.#recover(id, sender);
  }

  /** Records that a session is used. Initialization and pings do not count. */
  use(session: Session): void {
    this.slots.use(session);
    // The client's confirmation may have reached another process. The fact that the session is used shows that it was
    // sent.
    if (this.#settings.recover) this.confirm(session);
  }

  all(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** Records that a session's client has confirmed initialization. */
  confirm(session: Session): void {
    if (session.isLive) return;
    session.confirm();
    this.slots.renew(session);
    this.#events.next({ type: 'initialized', session });
  }

  /**
   * Binds a session without an owner to a caller. Streams of running calls receive only their own call's messages. If
   * it throws, nothing has changed.
   *
   * @throws {SessionLimitError} if the caller has reached its session limit, and no session is idle
   * @throws {MemoryLimitError} if the caller has no memory for it
   */
  bind(session: Session, identity: string): void {
    this.slots.transfer(session, identity, (leaving) => session.bind(identity, leaving));
  }

  /**
   * Ends a session in all processes; this process rejects its id from then on. The promise settles once other
   * processes have been notified.
   */
  end(session: Session, reason: string): Promise<void> | undefined {
    const { key, expires, shared } = session;
    if (!this.#sessions.has(key)) return undefined;
    this.endHere(key, expires, reason);
    this.ends.noteDecided(session, reason, reason === EXPIRED);
    return shared !== undefined && expires > Date.now() ? this.updates.end(session) : undefined;
  }

  /** Ends a session that has ended elsewhere or expired, if this process has it. From then on, this process rejects its id. */
  endHere(key: string, expires: number, reason: string): void {
    if (this.#settings.recover) this.ended.add(key, expires);
    const session = this.#sessions.get(key);
    if (session !== undefined) this.#remove(session, reason, false);
  }

  /** Another process may have received messages from the client. The session's record shows that to a process that resumes it. */
  #leave(session: Session): void {
    if (session.shared === undefined) return void this.end(session, EXPIRED);
    const use = noteUse(session, this.bus);
    if (use !== undefined) this.bus.shared?.change(use).catch(() => undefined);
    this.#remove(session, EXPIRED);
  }

  /** Removes a session that its client did not end. If sessions are recovered, the client can resume it. */
  #remove(session: Session, reason: string, isOurs = true): void {
    if (!this.#sessions.delete(session.key)) return;
    this.recipients.remove(session);
    this.slots.release(session);
    session.end(reason);
    session.memory.release();
    this.#events.next({ type: 'closed', session });
    if (isOurs) this.ends.noteRemoved(session, reason);
  }

  /**
   * Subscribes a session to a resource.
   *
   * @param position the subscription's position in the shared log, if it is there
   * @throws {SubscriptionLimitError} if the session has reached its limit on subscriptions, or on characters in them
   */
  subscribe(session: Session, uri: string, position?: ClusterPosition): void {
    if (session.subscriptions.has(uri)) return session.subscribe(uri, position);
    assertRoom(session, uri, this.#settings);
    session.subscribe(uri, position);
    this.recipients.subscribe(session, uri);
  }

  unsubscribe(session: Session, uri: string): void {
    if (session.unsubscribe(uri)) this.recipients.unsubscribe(session, uri);
  }

  /** Ends every session of this process, which other processes may resume, and stops checking for idle ones. */
  close(): void {
    this.#sweeper.stop();
    for (const session of this.#sessions.values()) this.#remove(session, 'The server is shutting down');
    this.#events.complete();
  }

  #recover(id: string, { address }: Pick<Negotiated, 'address'>): Session | undefined {
    if (!this.#settings.recover) return undefined;
    const ticket = this.readTicket(id);
    if (ticket?.negotiated === undefined) return undefined;
    const { expires, negotiated, begin, opened = expires - this.#settings.lifetimeMs } = ticket;
    const shared = SharedPart.create(this.bus, begin, true);
    return this.#add({ ...negotiated, address }, { id, opened, expires, isRecovered: true, shared });
  }

  #add(negotiated: Negotiated, start: SessionStart, hasSlot = false): Session {
    const client = (this.#latestClient = StoredClient.keep(negotiated.client, this.#latestClient));
    const bytes = HeapCost.session + start.id.length + estimateText(client.text);
    const memory = this.#memory.hold(negotiated, bytes);
    const means = { client, memory, limits: this.#limits, evict: this.#evict };
    const session = new Session(negotiated, start, means);
    if (!hasSlot) this.#allocateSlot(session);
    this.#sessions.set(session.key, session);
    this.#sweeper.start();
    this.#events.next({ type: 'opened', session });
    return session;
  }

  #allocateSlot(session: Session): void {
    try {
      this.slots.take(session);
    } catch (error) {
      session.memory.release();
      throw error;
    }
  }

  readonly #evict = (session: Session): void =>
    this.#remove(session, 'The session was evicted to make room for another');
}

/** Methods that a client can send indefinitely without using its session. */
const NO_USE: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized', 'ping']);

/** Returns whether a message counts as use of its session. */
export function isUse({ kind, message }: Pick<InboundMessage, 'kind' | 'message'>): boolean {
  return kind === 'response' || !('method' in message && NO_USE.has(message.method));
}
