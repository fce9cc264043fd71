import { randomInt } from 'node:crypto';
import type { Claims } from '../../core/oauth/access-token.js';
import type { ServerCapabilities } from '../../core/protocol/capabilities.js';
import { fingerprintSession } from '../../core/protocol/fingerprints.js';
import { FIRST_LOG_LEVEL, type LogLevel } from '../../core/protocol/log-level.js';
import { estimateText } from '../../core/protocol/measured-json.js';
import type { OutboundNotification } from '../../core/protocol/outbound-message.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { ClientView, SessionView } from '../context/mcp-context.interface.js';
import type { Peer } from '../context/peer.interface.js';
import { HeapCost } from '../memory/memory-limits.js';
import type { MemoryReservation } from '../memory/memory-budget.js';
import type { Delivery } from '../cluster/cluster-bus.js';
import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';
import type { TransportKind } from '../settings/transport-kind.js';
import { Activity } from './activity.js';
import { InFlightRequests } from './in-flight-requests.js';
import type { StoredClient } from './stored-client.js';
import type { Negotiated } from './negotiated.interface.js';
import { PendingRequests } from './pending-requests.js';
import type { SlotHolder } from './slots/slot-holder.interface.js';
import type { SessionMeans, SessionStart } from './session-start.interface.js';
import type { SharedPart } from './shared/shared-part.js';
import type { EventLogLimits } from './streams/event-log.js';
import { SessionStreams } from './streams/session-streams.js';

/** The resources to which a client is subscribed. */
class Subscriptions {
  readonly #uris = new Set<string>();
  /** Where the log stood when they began, in a server of several processes. */
  #beginnings: Map<string, ClusterPosition> | undefined;
  #characters = 0;

  get uris(): ReadonlySet<string> {
    return this.#uris;
  }

  /** Characters that these have together. */
  get characters(): number {
    return this.#characters;
  }

  add(uri: string): void {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    this.#characters += uri.length;
  }

  /** Takes one away, and returns whether it was there. */
  delete(uri: string): boolean {
    if (!this.#uris.delete(uri)) return false;
    this.#characters -= uri.length;
    this.#beginnings?.delete(uri);
    return true;
  }

  /** Notes where the log stood when one began. A repeated subscription counts from the first time. */
  setBeginning(uri: string, position: ClusterPosition): void {
    if (!this.#uris.has(uri) || this.#beginnings?.has(uri) === true) return;
    this.#beginnings ??= new Map();
    this.#beginnings.set(uri, position);
  }

  findBeginning(uri: string): ClusterPosition | undefined {
    return this.#beginnings?.get(uri);
  }
}

/** Counts what a subscription takes of the heap. */
function countSubscription(uri: string): number {
  return HeapCost.subscription + estimateText(uri);
}

/** What continues under the id of a session, which only its client and the server know. */
abstract class NamedActivity extends Activity {
  #fingerprint: string | undefined;

  constructor(readonly id: string) {
    super();
  }

  /** What the session is called between processes. */
  get key(): string {
    return readSessionKey(this.id);
  }

  /** What the session is called where others read it. */
  get fingerprint(): string {
    return (this.#fingerprint ??= fingerprintSession(this.id));
  }
}

/** Characters of JSON; a longer answer is asked for each time. */
const LONGEST_ROOTS = 65_536;

/** A client's answer to `roots/list` as JSON, and what is counted for it. */
class CachedRoots {
  #answer: Promise<string> | undefined;
  #bytes = 0;

  constructor(private readonly memory: MemoryReservation) {}

  get answer(): Promise<string> | undefined {
    return this.#answer;
  }

  /** Forgets the answer, or lets a question stand for it that is under way. */
  replace(answer: Promise<string> | undefined): void {
    this.memory.add(-this.#bytes);
    this.#bytes = 0;
    this.#answer = answer;
  }

  /** Keeps an answer, if there is room for it; unless another question was put since it was asked for. */
  keep(answer: Promise<string>, text: string): void {
    if (this.#answer !== answer) return;
    const bytes = estimateText(text);
    if (text.length <= LONGEST_ROOTS && this.memory.tryAdd(bytes)) this.#bytes = bytes;
    else this.#answer = undefined;
  }
}

const NO_SUBSCRIPTIONS: ReadonlySet<string> = new Set();

/**
 * One client's conversation with the server, from its handshake to its end.
 *
 * @see MCP 2025-11-25 basic/lifecycle
 */
export class Session extends NamedActivity implements SessionView, Peer, SlotHolder {
  readonly opened: number;
  readonly expires: number;
  /** Whether another process shook hands. */
  readonly isRecovered: boolean;
  /** The part that other processes may know; absent if only this process has the session. */
  readonly shared: SharedPart | undefined;
  readonly revision: Revision;
  readonly address: string | undefined;
  /** How its client speaks. What another process opened came over HTTP. */
  transport: TransportKind = 'http';
  /** What the token of the latest request says. */
  claims: Claims | undefined;
  readonly declared: ServerCapabilities;
  /** What the session takes of the memory that clients may have. */
  readonly memory: MemoryReservation;
  readonly #client: StoredClient;
  readonly #bounds: EventLogLimits;
  // Most sessions of a server are idle, so parts for calls and streams are created with the first of them.
  #inFlight: InFlightRequests | undefined;
  #streams: SessionStreams | undefined;
  #roots: CachedRoots | undefined;
  #identity: string | undefined;
  #level = FIRST_LOG_LEVEL;
  #isLive: boolean;
  #isEnded = false;
  #pending: PendingRequests | undefined;
  #subscriptions: Subscriptions | undefined;
  readonly #giveUp: SessionMeans<Session>['giveUp'];

  constructor(negotiated: Omit<Negotiated, 'client'>, start: SessionStart, means: SessionMeans<Session>) {
    super(start.id);
    this.opened = start.opened;
    this.expires = start.expires;
    this.isRecovered = start.isRecovered === true;
    this.shared = start.shared;
    this.#isLive = this.isRecovered;
    this.#identity = negotiated.identity;
    this.revision = negotiated.revision;
    this.address = negotiated.identity === undefined ? negotiated.address : undefined;
    this.#client = means.client;
    this.#giveUp = means.giveUp;
    this.declared = negotiated.declared;
    this.memory = means.memory;
    this.#bounds = means.bounds;
  }

  get inFlight(): InFlightRequests {
    return (this.#inFlight ??= new InFlightRequests());
  }

  get streams(): SessionStreams {
    return (this.#streams ??= this.#createStreams());
  }

  get client(): ClientView {
    return this.#client.view;
  }

  get identity(): string | undefined {
    return this.#identity;
  }

  /**
   * Gives the session to a caller, for good. The caller may leave another session for it. The previous owner gets no more
   * of its messages.
   *
   * @throws {MemoryLimitError} if the caller has no memory for it
   */
  bind(identity: string, leaving?: Pick<SlotHolder, 'memory'>): void {
    if (this.#identity !== undefined) return;
    this.memory.moveTo(identity, leaving?.memory);
    this.#identity = identity;
    this.passOver();
  }

  /** Disconnects the earlier holder of the session. */
  passOver(): void {
    this.#streams?.takeOver();
  }

  /** What the server has asked the client and is not answered yet. */
  get pending(): PendingRequests {
    return (this.#pending ??= new PendingRequests());
  }

  /** The client's answer to `roots/list` as JSON, until it changes. */
  get roots(): Promise<string> | undefined {
    return this.#roots?.answer;
  }

  /** Forgets the client's answer to `roots/list`, or lets a question stand for it that is under way. */
  set roots(answer: Promise<string> | undefined) {
    if (answer !== undefined) this.#roots ??= new CachedRoots(this.memory);
    this.#roots?.replace(answer);
  }

  /** Keeps the client's answer to `roots/list`, if there is room for it. */
  keepRoots(answer: Promise<string>, text: string): void {
    this.#roots?.keep(answer, text);
  }

  /** The resources to which the client is subscribed. */
  get subscriptions(): ReadonlySet<string> {
    return this.#subscriptions?.uris ?? NO_SUBSCRIPTIONS;
  }

  /** Characters that these have together. */
  get subscriptionCharacters(): number {
    return this.#subscriptions?.characters ?? 0;
  }

  get session(): this {
    return this;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get logLevel(): LogLevel | undefined {
    return this.declared.logging === undefined ? undefined : this.#level;
  }

  /** Sets the lowest level of log entries that the client wants. */
  setLogLevel(level: LogLevel): void {
    this.#level = level;
  }

  /** Notes that the client subscribes to a resource, and the place of the subscription in the log, if it has one. */
  subscribe(uri: string, position?: ClusterPosition): void {
    this.#subscriptions ??= new Subscriptions();
    if (!this.#subscriptions.uris.has(uri)) this.memory.add(countSubscription(uri));
    this.#subscriptions.add(uri);
    if (position !== undefined) this.#subscriptions.setBeginning(uri, position);
  }

  /** Notes that the client unsubscribes from a resource. Returns whether it was subscribed. */
  unsubscribe(uri: string): boolean {
    if (this.#subscriptions?.delete(uri) !== true) return false;
    this.memory.add(-countSubscription(uri));
    return true;
  }

  /** Gives where the log stood when the client began to want to hear of a resource, if that is known. */
  findSubscribed(uri: string): ClusterPosition | undefined {
    return this.#subscriptions?.findBeginning(uri);
  }

  /** Notes that the client has confirmed the handshake: from now on it may be sent anything. */
  confirm(): void {
    this.#isLive = true;
  }

  evict(): void {
    this.#giveUp(this);
  }

  get isRunning(): boolean {
    return (this.#inFlight?.size ?? 0) > 0 && !this.isOver;
  }

  get isRead(): boolean {
    return this.#streams?.hasReader === true && !this.isOver;
  }

  /** What continues in a session whose time is over keeps no place for it until somebody ends it. */
  get isOver(): boolean {
    return this.expires <= Date.now();
  }

  /** Whether a request runs or a stream is read. */
  get isBusy(): boolean {
    return this.isRunning || this.isRead;
  }

  /**
   * Returns whether a notification may be sent yet: before the client has confirmed the handshake only log entries may.
   *
   * @see MCP 2025-11-25 basic/lifecycle, "Initialization"
   */
  accepts(notification: OutboundNotification): boolean {
    return this.#isLive || notification.method === 'notifications/message';
  }

  /**
   * Sends a notification that belongs to no request.
   *
   * @param scopes the scopes that the reader's token must have
   * @param delivery where it stands in the log that processes share
   */
  emit(notification: OutboundNotification, scopes?: readonly string[], delivery: Delivery = {}): void {
    if (this.#isEnded || !this.accepts(notification)) return;
    if (this.shared === undefined) this.streams.appendUnrelated(notification, scopes);
    else this.shared.reader?.take(notification, scopes, delivery);
  }

  /** Ends the session: what runs in it is cancelled, its streams close. */
  end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const context of this.#inFlight?.all() ?? []) context.cancel(reason);
    this.#pending?.close();
    this.#streams?.close();
  }

  /** Event ids of a recovered session must not be those of the process that had it before. */
  #createStreams(): SessionStreams {
    const first = this.isRecovered ? randomInt(1e9, 2 ** 47) : 0;
    const streams = new SessionStreams(this.#bounds, first, this.memory, this.shared === undefined);
    if (this.#isEnded) streams.close();
    return streams;
  }
}

/** Returns the name of a session between processes: the nonce at the beginning of its id. */
export function readSessionKey(id: string): string {
  const end = id.indexOf('.');
  return end === -1 ? id : id.slice(0, end);
}
