import { randomInt } from 'node:crypto';
import type { Claims } from '../../core/oauth/claims.js';
import type { ServerCapabilities } from '../../core/protocol/capabilities.js';
import type { LogLevel } from '../../core/protocol/log-level.js';
import type { OutboundNotification } from '../../core/protocol/outbound-message.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { ClientView, SessionView } from '../context/mcp-context.interface.js';
import type { Peer } from '../context/peer.interface.js';
import type { PlaceHolder } from './places/place-holder.interface.js';
import type { EventLogBounds } from './streams/event-log.js';
import { InFlightRequests } from './in-flight-requests.js';
import { PendingRequests } from './pending-requests.js';
import { SessionStreams } from './streams/session-streams.js';

/** What a handshake settled for the whole session. */
export interface Negotiated {
  readonly revision: Revision;
  readonly client: ClientView;
  /** What the server declared to this client: later changes of the catalogue do not change it. */
  readonly declared: ServerCapabilities;
  /** Whose session it is, where that is known. */
  readonly identity?: string | undefined;
  /** Where its client is, if that is not known. */
  readonly address?: string | undefined;
}

/** How a session begins. */
export interface SessionStart {
  readonly id: string;
  /** When it ends whatever happens, in milliseconds of the epoch. */
  readonly expires: number;
  readonly bounds: EventLogBounds;
  /** Whether another process shook hands: the session is live at once. @default false */
  readonly isAdopted?: boolean;
  /** Ends the session when another needs its place. */
  readonly giveUp: (session: Session) => void;
}

const NO_SUBSCRIPTIONS: ReadonlySet<string> = new Set();

/** The level until `logging/setLevel`: the server's choice (MCP server/utilities/logging). */
const FIRST_LOG_LEVEL: LogLevel = 'info';

/**
 * One client's conversation with the server, from its handshake to its end.
 *
 * @see MCP 2025-11-25 basic/lifecycle
 */
export class Session implements SessionView, Peer, PlaceHolder {
  readonly id: string;
  readonly expires: number;
  /** Whether another process shook hands. */
  readonly isAdopted: boolean;
  readonly revision: Revision;
  readonly client: ClientView;
  readonly address: string | undefined;
  /** What the token of the latest request says. */
  claims: Claims | undefined;
  readonly declared: ServerCapabilities;
  readonly inFlight = new InFlightRequests();
  readonly streams: SessionStreams;
  /** The client's answer to `roots/list`, until it changes. */
  roots: Promise<unknown> | undefined;
  #identity: string | undefined;
  #level: LogLevel = FIRST_LOG_LEVEL;
  #isLive: boolean;
  #isEnded = false;
  #pending: PendingRequests | undefined;
  #subscriptions: Set<string> | undefined;
  #subscriptionCharacters = 0;
  /** By a clock that nobody sets. */
  #lastActive = performance.now();
  #isUsed = false;
  #usedAt = performance.now();
  /** Since when it was neither used nor read. */
  #unusedSince = this.#usedAt;
  readonly #giveUp: SessionStart['giveUp'];

  constructor(negotiated: Negotiated, { id, expires, bounds, isAdopted = false, giveUp }: SessionStart) {
    this.id = id;
    this.expires = expires;
    this.isAdopted = isAdopted;
    this.#isLive = isAdopted;
    this.#identity = negotiated.identity;
    this.revision = negotiated.revision;
    this.client = negotiated.client;
    this.address = negotiated.identity === undefined ? negotiated.address : undefined;
    this.#giveUp = giveUp;
    this.declared = negotiated.declared;
    this.streams = new SessionStreams(bounds, isAdopted ? randomInt(1e9, 2 ** 47) : 0);
  }

  get identity(): string | undefined {
    return this.#identity;
  }

  /** Gives the session to a caller, for good; who had it before hears no more of it. */
  bind(identity: string): void {
    if (this.#identity !== undefined) return;
    this.#identity = identity;
    this.streams.takeOver();
  }

  /** What the server has asked the client and is not answered yet. */
  get pending(): PendingRequests {
    this.#pending ??= new PendingRequests();
    return this.#pending;
  }

  /** Resources whose changes the client wants to hear of. */
  get subscriptions(): ReadonlySet<string> {
    return this.#subscriptions ?? NO_SUBSCRIPTIONS;
  }

  /** Characters that these have together. */
  get subscriptionCharacters(): number {
    return this.#subscriptionCharacters;
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

  /** Notes that the client wants to hear of a resource. */
  subscribe(uri: string): void {
    this.#subscriptions ??= new Set();
    if (this.#subscriptions.has(uri)) return;
    this.#subscriptions.add(uri);
    this.#subscriptionCharacters += uri.length;
  }

  /** Notes that the client wants to hear no more of a resource, and tells whether it wanted to. */
  unsubscribe(uri: string): boolean {
    if (this.#subscriptions?.delete(uri) !== true) return false;
    this.#subscriptionCharacters -= uri.length;
    return true;
  }

  /** Notes that the client has confirmed the handshake: from now on it may be sent anything. */
  confirm(): void {
    this.#isLive = true;
  }

  /** Notes a sign of life. */
  touch(): void {
    this.#lastActive = performance.now();
  }

  /** Notes that the client is there, or may well be: neither silence nor disuse has begun yet. */
  keepAlive(): void {
    this.touch();
    this.#unusedSince = performance.now();
  }

  use(): void {
    this.#isUsed = true;
    this.#usedAt = performance.now();
  }

  giveUp(): void {
    this.#giveUp(this);
  }

  get isUsed(): boolean {
    return this.#isUsed;
  }

  get usedAt(): number {
    return this.#usedAt;
  }

  get isRunning(): boolean {
    return this.inFlight.size > 0 && !this.#isOver;
  }

  get isRead(): boolean {
    return this.streams.hasReader && !this.#isOver;
  }

  /** What goes on in a session whose time is over keeps no place for it until somebody ends it. */
  get #isOver(): boolean {
    return this.expires <= Date.now();
  }

  /** Whether a request runs or a stream is read. */
  get isBusy(): boolean {
    return this.isRunning || this.isRead;
  }

  /** Tells whether nothing was done since the handshake, and that ended before a time of the monotonic clock. */
  isUnusedSince(time: number): boolean {
    return !this.#isUsed && this.#unusedSince <= time;
  }

  /** Tells whether there was no sign of life since a time, as `performance.now()` counts. */
  isIdleSince(time: number): boolean {
    return this.#lastActive <= time;
  }

  /**
   * Tells whether a notification may be sent yet: before the client has confirmed the handshake only log entries may.
   *
   * @see MCP 2025-11-25 basic/lifecycle, "Initialization"
   */
  accepts(notification: OutboundNotification): boolean {
    return this.#isLive || notification.method === 'notifications/message';
  }

  /**
   * Sends a notification that belongs to no request.
   *
   * @param scopes what the token must have by which it is read
   */
  emit(notification: OutboundNotification, scopes?: readonly string[]): void {
    if (this.#isEnded || !this.accepts(notification)) return;
    this.streams.appendUnrelated(notification, scopes);
  }

  /** Ends the session: what runs in it is cancelled, its streams close. */
  end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const context of this.inFlight.all()) context.cancel(reason);
    this.#pending?.close();
    this.streams.close();
  }
}
