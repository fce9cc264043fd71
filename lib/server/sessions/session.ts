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

/** The resources that a client is subscribed to. */
class Subscriptions {
  readonly #uris = new Set<string>();
  /** The shared log's positions when the subscriptions started; only on a server with several processes. */
  #beginnings: Map<string, ClusterPosition> | undefined;
  #characters = 0;

  get uris(): ReadonlySet<string> {
    return this.#uris;
  }

  /** The total number of characters in all URIs. */
  get characters(): number {
    return this.#characters;
  }

  add(uri: string): void {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    this.#characters += uri.length;
  }

  /** Removes a subscription, and returns whether it existed. */
  delete(uri: string): boolean {
    if (!this.#uris.delete(uri)) return false;
    this.#characters -= uri.length;
    this.#beginnings?.delete(uri);
    return true;
  }

  /** Records the log position when a subscription started. A repeated subscription counts from its first start. */
  setBeginning(uri: string, position: ClusterPosition): void {
    if (!this.#uris.has(uri) || this.#beginnings?.has(uri) === true) return;
    this.#beginnings ??= new Map();
    this.#beginnings.set(uri, position);
  }

  findBeginning(uri: string): ClusterPosition | undefined {
    return this.#beginnings?.get(uri);
  }
}

/** Estimates a subscription's heap memory. */
function countSubscription(uri: string): number {
  return HeapCost.subscription + estimateText(uri);
}

/** An activity with a session id, which is a secret between the client and the server. */
abstract class NamedActivity extends Activity {
  #fingerprint: string | undefined;

  constructor(readonly id: string) {
    super();
  }

  /** The name that processes use for the session. */
  get key(): string {
    return readSessionKey(this.id);
  }

  /** The session's name in logs and other places that third parties can read. */
  get fingerprint(): string {
    return (this.#fingerprint ??= fingerprintSession(this.id));
  }
}

/** The maximum number of JSON characters; a longer response is not cached. */
const LONGEST_ROOTS = 65_536;

/** A client's `roots/list` response as JSON, and its counted memory. */
class CachedRoots {
  #answer: Promise<string> | undefined;
  #bytes = 0;

  constructor(private readonly memory: MemoryReservation) {}

  get answer(): Promise<string> | undefined {
    return this.#answer;
  }

  /** Replaces the cached response with a pending request, or with nothing. */
  replace(answer: Promise<string> | undefined): void {
    this.memory.add(-this.#bytes);
    this.#bytes = 0;
    this.#answer = answer;
  }

  /** Caches a response if there is memory for it and no newer request has replaced it. */
  keep(answer: Promise<string>, text: string): void {
    if (this.#answer !== answer) return;
    const bytes = estimateText(text);
    if (text.length <= LONGEST_ROOTS && this.memory.tryAdd(bytes)) this.#bytes = bytes;
    else this.#answer = undefined;
  }
}

const NO_SUBSCRIPTIONS: ReadonlySet<string> = new Set();

/**
 * One client's conversation with the server, from initialization to its end.
 *
 * @see MCP 2025-11-25 basic/lifecycle
 */
export class Session extends NamedActivity implements SessionView, Peer, SlotHolder {
  readonly opened: number;
  readonly expires: number;
  /** Whether another process initialized it. */
  readonly isRecovered: boolean;
  /** The part shared with other processes; absent if only this process has the session. */
  readonly shared: SharedPart | undefined;
  readonly revision: Revision;
  readonly address: string | undefined;
  /** The client's transport. Other processes' sessions use HTTP. */
  transport: TransportKind = 'http';
  /** The claims of the latest request's token. */
  claims: Claims | undefined;
  readonly declared: ServerCapabilities;
  /** The session's share of the memory for clients. */
  readonly memory: MemoryReservation;
  readonly #client: StoredClient;
  readonly #limits: EventLogLimits;
  // Most sessions are idle, so parts for calls and streams are created on first use.
  #inFlight: InFlightRequests | undefined;
  #streams: SessionStreams | undefined;
  #roots: CachedRoots | undefined;
  #identity: string | undefined;
  #level = FIRST_LOG_LEVEL;
  #isLive: boolean;
  #isEnded = false;
  #pending: PendingRequests | undefined;
  #subscriptions: Subscriptions | undefined;
  readonly #evict: SessionMeans<Session>['evict'];

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
    this.#evict = means.evict;
    this.declared = negotiated.declared;
    this.memory = means.memory;
    this.#limits = means.limits;
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
   * Binds the session to a caller permanently. Another session of the caller may be evicted for it. The previous holder
   * receives no more of its messages.
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

  /** The requests to the client whose responses are outstanding. */
  get pending(): PendingRequests {
    return (this.#pending ??= new PendingRequests());
  }

  /** The client's `roots/list` response as JSON, until it changes. */
  get roots(): Promise<string> | undefined {
    return this.#roots?.answer;
  }

  /** Replaces the cached `roots/list` response with a pending request, or with nothing. */
  set roots(answer: Promise<string> | undefined) {
    if (answer !== undefined) this.#roots ??= new CachedRoots(this.memory);
    this.#roots?.replace(answer);
  }

  /** Caches the client's `roots/list` response if there is memory for it. */
  keepRoots(answer: Promise<string>, text: string): void {
    this.#roots?.keep(answer, text);
  }

  /** The resources that the client is subscribed to. */
  get subscriptions(): ReadonlySet<string> {
    return this.#subscriptions?.uris ?? NO_SUBSCRIPTIONS;
  }

  /** The total number of characters in all subscribed URIs. */
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

  /** Sets the lowest log level to send to the client. */
  setLogLevel(level: LogLevel): void {
    this.#level = level;
  }

  /** Subscribes the client to a resource, and records the subscription's position in the log, if it has one. */
  subscribe(uri: string, position?: ClusterPosition): void {
    this.#subscriptions ??= new Subscriptions();
    if (!this.#subscriptions.uris.has(uri)) this.memory.add(countSubscription(uri));
    this.#subscriptions.add(uri);
    if (position !== undefined) this.#subscriptions.setBeginning(uri, position);
  }

  /** Unsubscribes the client from a resource. Returns whether it was subscribed. */
  unsubscribe(uri: string): boolean {
    if (this.#subscriptions?.delete(uri) !== true) return false;
    this.memory.add(-countSubscription(uri));
    return true;
  }

  /** Returns the log position when the client subscribed to a resource, if it is known. */
  findSubscribed(uri: string): ClusterPosition | undefined {
    return this.#subscriptions?.findBeginning(uri);
  }

  /** Records that the client has confirmed initialization. From now on, the server may send it any message. */
  confirm(): void {
    this.#isLive = true;
  }

  evict(): void {
    this.#evict(this);
  }

  get isRunning(): boolean {
    return (this.#inFlight?.size ?? 0) > 0 && !this.isOver;
  }

  get isRead(): boolean {
    return this.#streams?.hasReader === true && !this.isOver;
  }

  /** Whether the session has expired. Running calls and open streams then no longer protect its slot. */
  get isOver(): boolean {
    return this.expires <= Date.now();
  }

  /** Whether a request is running or a client is reading a stream. */
  get isBusy(): boolean {
    return this.isRunning || this.isRead;
  }

  /**
   * Returns whether a notification may be sent yet. Until the client confirms initialization, only log entries may be
   * sent.
   *
   * @see MCP 2025-11-25 basic/lifecycle, "Initialization"
   */
  accepts(notification: OutboundNotification): boolean {
    return this.#isLive || notification.method === 'notifications/message';
  }

  /**
   * Sends a notification that does not belong to a request. Next hop: `SessionStreams.appendUnrelated`, or in a
   * cluster `StandaloneReader.take`.
   *
   * @param scopes the scopes that the reader's token must have
   * @param delivery its position in the log that processes share
   */
  emit(notification: OutboundNotification, scopes?: readonly string[], delivery: Delivery = {}): void {
    if (this.#isEnded || !this.accepts(notification)) return;
    if (this.shared === undefined) this.streams.appendUnrelated(notification, scopes);
    else this.shared.reader?.take(notification, scopes, delivery);
  }

  /** Ends the session, cancels its requests and closes its streams. */
  end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const context of this.#inFlight?.all() ?? []) context.cancel(reason);
    this.#pending?.close();
    this.#streams?.close();
  }

  /** A recovered session's event ids must differ from the ids that the previous process issued. */
  #createStreams(): SessionStreams {
    const first = this.isRecovered ? randomInt(1e9, 2 ** 47) : 0;
    const streams = new SessionStreams(this.#limits, first, this.memory, this.shared === undefined);
    if (this.#isEnded) streams.close();
    return streams;
  }
}

/** Returns the name that processes use for a session: the nonce at the start of its id. */
export function readSessionKey(id: string): string {
  const end = id.indexOf('.');
  return end === -1 ? id : id.slice(0, end);
}
