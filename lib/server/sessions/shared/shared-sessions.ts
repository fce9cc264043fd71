import type { LogLevel } from '../../../core/protocol/log-level.js';
import type { Authentication } from '../../context/authentication.js';
import type { ClusterBus, Delivery } from '../../cluster/cluster-bus.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { EndedCallers } from '../callers/ended-callers.js';
import type { Negotiated } from '../negotiated.interface.js';
import type { SessionTicket } from '../session-id.codec.js';
import type { SessionRegistry } from '../session-registry.js';
import type { Session } from '../session.js';
import type { BoundedState } from './bounded-state.js';
import { findLateExcess, isNearBounds } from './late-subscriptions.js';
import { SESSION_CHANGE, type SessionChange, SESSIONS_CHANGED, SESSIONS_RESTORED } from './session-change.js';
import { SessionUpdates } from './session-updates.js';
import { buildRestored, raiseVersion } from './restored-session.js';
import {
  buildRecordKey,
  buildSubscriptionField,
  buildVersionField,
  isIdle,
  parseSessionRecord,
  SessionField,
} from './session-record.js';
import { ReceivedChanges } from './received-changes.js';
import { buildRecordOwner } from '../../cluster/build-record-owner.js';

/** The sender of a request in a session. */
interface Sender extends Pick<Negotiated, 'address'> {
  readonly authentication?: Pick<Authentication, 'identity' | 'claims'> | undefined;
}

/** A session whose record is being read. */
interface Reading {
  /** Changes that arrived during the read. */
  meanwhile: (readonly [change: SessionChange, delivery: Delivery])[];
  /** Whether the running read may return a state older than a change published in the meantime. */
  isStale: boolean;
}

/** A running recovery, with the promise that requests await. */
interface TakingUp {
  readonly reading: Reading;
  readonly done: Promise<void>;
}

interface RecoverRequest {
  readonly sender: Sender;
  readonly reading: Reading;
}

/** Session changes that apply in every process. With a single process, they take effect immediately. */
export class SharedSessions {
  readonly #taking = new Map<string, TakingUp>();
  readonly #idleTimeoutMs: number;
  readonly #lifetimeMs: number;
  readonly #limits: ServerSettings['sessions'];
  readonly #changes: ReceivedChanges;
  readonly #claims: SessionClaims;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly bus: ClusterBus,
    private readonly state: BoundedState,
    { sessions }: ServerSettings,
    private readonly ended: EndedCallers,
    private readonly updates: SessionUpdates = new SessionUpdates(bus, state),
  ) {
    this.#idleTimeoutMs = sessions.idleTimeoutMs;
    this.#lifetimeMs = sessions.lifetimeMs;
    this.#limits = sessions;
    this.#changes = new ReceivedChanges(registry, bus);
    this.#claims = new SessionClaims(bus, state);
    bus.on(SESSION_CHANGE, (change, delivery) => this.#listen(change, delivery));
    bus.on(SESSIONS_CHANGED, ({ records = [] }, { position }) => {
      for (const key of records) this.#readAgain(key, position);
    });
    bus.on(SESSIONS_RESTORED, ({ sessions: restored }, { position }) => {
      // The process that repeats a change is not the one that received it from the client.
      for (const change of restored) this.#listen(change, position === undefined ? {} : { position });
    });
    // This process has already made the change. Other processes may have changed the session in the meantime.
    bus.onStored(SESSION_CHANGE, (change, delivery) => this.#listen(change, delivery));
  }

  /**
   * Recovers a request's session from the shared record if this process does not know its state. Returns `undefined`
   * if there is nothing to wait for. If the promise rejects, the request is rejected.
   */
  recover(id: string, sender: Sender): Promise<void> | undefined {
    if (!this.state.isInReach) return undefined;
    const known = this.registry.find(id);
    if (known !== undefined && known.shared?.isUnread !== true) return undefined;
    const ticket = this.registry.readTicket(id);
    // No other process can recover this session, so its record has no other changes.
    if (ticket && !ticket.negotiated && known?.shared) known.shared.isUnread = false;
    if (ticket?.negotiated === undefined) return undefined;
    const { nonce: key } = ticket;
    const taking = this.#taking.get(key);
    if (taking !== undefined) return taking.done;
    const reading: Reading = { meanwhile: [], isStale: false };
    const done = this.#recover(id, ticket, { sender, reading }).finally(() => this.#taking.delete(key));
    this.#taking.set(key, { reading, done });
    return done;
  }

  /** Does the same for callers that can wait, such as a listen-only stream. Never rejects. */
  async recoverLate({ id, key, identity, claims }: Session): Promise<void> {
    const isKnown = identity !== undefined && claims !== undefined;
    await this.state.probe(buildRecordKey(key));
    await this.recover(id, isKnown ? { authentication: { identity, claims } } : {})?.catch(() => undefined);
  }

  /**
   * Binds an anonymous session to a caller, once across all processes. Returns `undefined` if there is nothing to wait
   * for.
   */
  claim(session: Session, identity: string): Promise<void> | undefined {
    return this.#claims.claim(session, identity);
  }

  /**
   * Subscribes a session to a resource. The response must wait for the promise, if there is one.
   *
   * @throws {SubscriptionLimitError} if the session has reached its limit on subscriptions, or on characters in them
   * @throws {MemoryLimitError} if there is not enough memory for it
   * @throws {McpError} with HTTP status 429 if the caller makes too many changes while the backend is unavailable
   */
  subscribe(session: Session, uri: string): Promise<void> | undefined {
    const tell = this.updates.take(session, uri.length);
    this.#changes.subscribe(session, uri, this.bus.position);
    const field = buildSubscriptionField(uri);
    const { versions, set } = raiseVersion(session, field, this.bus);
    const published = tell?.({ subscribed: [uri], versions }, { stamp: [field], set });
    return published && this.#keepBounds(session, uri, published);
  }

  /** Ends a session's subscription to a resource. The response must wait for the promise, if there is one. */
  unsubscribe(session: Session, uri: string): Promise<void> | undefined {
    const tell = this.updates.take(session, uri.length);
    const field = buildSubscriptionField(uri);
    const { versions, version } = raiseVersion(session, field, this.bus);
    this.#changes.unsubscribe(session, uri);
    const set = { [SessionField.unsubscribed]: version };
    return tell?.({ unsubscribed: [uri], versions }, { unset: [field, buildVersionField(field)], set });
  }

  /** Sets the lowest log level that a client requests. The response must wait for the promise, if there is one. */
  setLogLevel(session: Session, level: LogLevel): Promise<void> | undefined {
    const tell = this.updates.take(session);
    session.setLogLevel(level);
    const { versions, set } = raiseVersion(session, SessionField.level, this.bus);
    const published = tell?.({ level, versions }, { set: { ...set, [SessionField.level]: level } });
    // Every process sends its own calls' log entries, so the cluster log does not guarantee their order.
    return published?.then(() => this.bus.acknowledged());
  }

  /** Ends a session in all processes. The response must wait for the promise, if there is one. */
  end(session: Session, reason: string): Promise<void> | undefined {
    return this.registry.end(session, reason)?.then(() => this.bus.acknowledged());
  }

  async #recover(id: string, ticket: SessionTicket, request: RecoverRequest): Promise<void> {
    const { reading } = request;
    do {
      // The record contains every change published before the read.
      reading.meanwhile = [];
      reading.isStale = false;
      await this.#read(id, ticket, request);
    } while (reading.isStale);
  }

  async #read(id: string, ticket: SessionTicket, { sender, reading }: RecoverRequest): Promise<void> {
    const { nonce: key, expires, negotiated } = ticket;
    const [found, isOfEnded] = await Promise.all([
      this.state.find(buildRecordKey(key)),
      this.#isOfEnded(ticket, sender),
    ]);
    if (found === undefined || reading.isStale) return;
    const record = found.record && parseSessionRecord(found.record);
    const isTheirs = (record?.owner ?? negotiated?.identity) === sender.authentication?.identity;
    const isOver =
      record !== undefined && (record.isEnded || isIdle(record, this.bus.now, this.#idleTimeoutMs));
    if (isOver || (isTheirs && isOfEnded)) {
      return this.registry.endHere(key, expires, 'The session has ended');
    }
    const session = this.registry.findOrRecover(id, sender);
    if (session === undefined) return;
    session.shared?.noteLists(found.record?.[SessionField.lists]);
    if (record !== undefined && !this.#changes.applyRecord(session, record)) this.#mend(session);
    if (session.shared !== undefined) session.shared.isUnread = false;
    for (const [change, delivery] of reading.meanwhile) this.#change(change, delivery);
  }

  /** Whether the application has logged out the caller since the session was opened. */
  #isOfEnded({ opened, expires }: SessionTicket, { authentication }: Sender): Promise<boolean> {
    const find = async (key: string) => (await this.state.find(key))?.record;
    return this.ended.isEnded(authentication ?? {}, opened ?? expires - this.#lifetimeMs, find);
  }

  /**
   * Ends a subscription again if other processes accepted subscriptions at the same time and reached the limit.
   */
  async #keepBounds(session: Session, uri: string, published: Promise<void>): Promise<void> {
    await published;
    if (!isNearBounds(session, this.#limits)) return;
    const record = (await this.state.find(buildRecordKey(session.key)))?.record;
    const excess = record && findLateExcess(record, uri, this.#limits);
    if (excess === undefined) return;
    await this.unsubscribe(session, uri);
    throw excess;
  }

  #listen(change: SessionChange, delivery: Delivery): void {
    this.#taking.get(change.key)?.reading.meanwhile.push([change, delivery]);
    this.#change(change, delivery);
  }

  #change(change: SessionChange, delivery: Delivery): void {
    const outcome = this.#changes.apply(change, delivery);
    if (outcome === 'too much') this.#readAgain(change.key, delivery.position);
    const session = outcome === 'older' ? this.registry.findByKey(change.key) : undefined;
    if (session !== undefined) this.#mend(session);
  }

  /** Writes and publishes a session's state if the record or another process has an older one. */
  #mend(session: Session): void {
    const known = buildRestored(session);
    if (known !== undefined) this.updates.repeat(session, known);
  }

  /**
   * Schedules another read of a session's record after changes by other processes. An idle session is reread on its
   * next request.
   *
   * @param position that message's position. The record at that time decides about later messages
   */
  #readAgain(key: string, position: ClusterPosition | undefined): void {
    const taking = this.#taking.get(key);
    if (taking !== undefined) taking.reading.isStale = true;
    const session = this.registry.findByKey(key);
    if (session?.shared === undefined) return;
    const { shared } = session;
    shared.isUnread = true;
    if (position !== undefined) shared.reader?.delayBehind(position);
    if (taking === undefined && session.isBusy) this.recover(session.id, {})?.catch(() => undefined);
  }
}

/** Binds anonymous sessions to their first authenticated callers, once across all processes. */
export class SessionClaims {
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    private readonly bus: ClusterBus,
    private readonly state: BoundedState,
  ) {}

  /** Binds a session to a caller. Returns `undefined` if there is nothing to wait for. */
  claim(session: Session, identity: string): Promise<void> | undefined {
    const { key, shared } = session;
    // This process learns about the owner first.
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const isSettled = shared === undefined || session.identity !== undefined || shared.owner !== undefined;
    if (isSettled || !this.state.isInReach) return undefined;
    const claimed = this.#claim(session, identity).finally(() => this.#running.delete(key));
    this.#running.set(key, claimed);
    return claimed;
  }

  async #claim(session: Session, identity: string): Promise<void> {
    const { key, shared, expires } = session;
    const owner = buildRecordOwner({ identity });
    const swap = { key: buildRecordKey(key), field: SessionField.owner, to: identity, expires, owner };
    const swapped = await this.state.swap(swap);
    if (swapped === undefined || shared === undefined) return;
    shared.owner = swapped.field;
    if (swapped.field !== identity) return;
    this.bus.publish(SESSION_CHANGE, { key, owner: identity });
    // After the response, no process may serve the session without the token.
    await this.bus.acknowledged();
  }
}
