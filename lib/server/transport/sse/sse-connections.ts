import { randomUUID } from 'node:crypto';
import { Subscription } from 'rxjs';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { Authentication } from '../../context/authentication.js';
import { callAfter } from '../../../core/async/timers.js';
import type { MemoryBudget, MemoryReservation } from '../../memory/memory-budget.js';
import { MemoryLimitError } from '../../memory/memory-limits.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { CallerEnd, CallerPart } from '../../sessions/callers/caller-end.js';
import { isMeant } from '../../sessions/callers/caller-filter.js';
import type { EndedOfCaller } from '../../sessions/callers/mcp-sessions.interface.js';
import type { SessionSlots } from '../../sessions/slots/session-slots.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { estimateStream, type EventStreams } from '../http/streams/event-streams.js';
import type { HttpExchange } from '../http/http-exchange.js';
import type { DuplexConnection, DuplexConnections } from '../duplex/duplex-connection.js';
import type { DuplexCaller, WriteMessage } from '../duplex/duplex-parts.js';
import type { Claims } from '../../../core/oauth/access-token.js';
import { Activity } from '../../sessions/activity.js';
import type { SlotHolder } from '../../sessions/slots/slot-holder.interface.js';
import type { EventStreamWriter } from '../http/streams/event-stream-writer.js';

/** The 2024-11-05 transport's open streams. Each carries all messages to one client. */
export class SseConnections implements CallerPart {
  readonly #open = new Map<string, SseStream>();

  constructor(
    private readonly duplex: DuplexConnections,
    private readonly streams: EventStreams,
    private readonly slots: SessionSlots,
    private readonly bus: ClusterBus,
    private readonly settings: ServerSettings,
    private readonly memory: MemoryBudget,
  ) {}

  /**
   * Opens a client's stream and sends it the URL for POST requests.
   *
   * @param path the POST endpoint's path, without the stream id
   * @param returning whether the client lost its stream and may continue without initializing
   * @throws {SessionLimitError} if the server or the caller has reached its session limit and no session is idle
   * @throws {MemoryLimitError} if it does not fit
   * @throws {McpError} with HTTP status 503 during shutdown
   */
  open(exchange: HttpExchange, path: string, returning?: DuplexCaller): void {
    const { authentication } = exchange;
    if (this.streams.isClosed) throw McpError.shuttingDown(503);
    const stream = this.#takePlace(exchange);
    const id = this.#createId();
    const ending = new Subscription(() => this.#close(id, stream));
    const writer = this.streams.begin(exchange.beginStream(), ending);
    if (!writer.isOpen) return;
    const write: WriteMessage = (message) => writer.writeMessage(message.json);
    const listener = { onUse: () => this.slots.use(stream), onSessionEnd: () => stream.evict() };
    stream.carry({ connection: this.duplex.open(write, () => writer.unread, listener), writer });
    this.#open.set(id, stream);
    stream.renew(authentication);
    ending.add(this.#endUnused(stream));
    writer.writeEndpoint(`${path}?sessionId=${id}`);
    if (returning !== undefined) this.#resume(stream, returning);
  }

  /** Ends a caller's streams, and their sessions. */
  endOf({ terms }: CallerEnd): Partial<EndedOfCaller> {
    const theirs = [...this.#open.values()].filter((stream) => isMeant(terms, stream));
    for (const stream of theirs) stream.evict();
    return { streams: theirs.length };
  }

  /** Disconnects each client once its requests have finished, and sends it a reconnection time. */
  leave(): void {
    for (const stream of this.#open.values()) void stream.leave();
  }

  /** A client whose session does not fit receives the error with its first request. */
  #resume(stream: SseStream, returning: DuplexCaller): void {
    this.slots.use(stream);
    try {
      stream.connection?.resume(returning);
    } catch (error) {
      if (!(error instanceof MemoryLimitError)) throw error;
    }
  }

  /**
   * Finds a stream's connection, for its own client only.
   *
   * @throws {SessionLimitError} if the caller would become its owner and has reached its session limit
   * @throws {MemoryLimitError} if the caller would become its owner and it does not fit
   */
  find(id: string, authentication: Authentication | undefined): DuplexConnection | undefined {
    const stream = this.#open.get(id);
    if (stream === undefined || !this.#belongs(stream, authentication)) return undefined;
    stream.renew(authentication);
    return stream.connection;
  }

  /** Finds the memory of a stream's connection, which is not evicted for a message to it. */
  findMemory(id: string): MemoryReservation | undefined {
    return this.#open.get(id)?.memory;
  }

  /** Includes the process if there are several, so that the others can forward messages to it. */
  #createId(): string {
    const { isShared, member } = this.bus;
    return isShared ? `${member}.${randomUUID()}` : randomUUID();
  }

  #takePlace(exchange: HttpExchange): SseStream {
    const memory = this.memory.hold(exchange.caller, estimateStream(exchange.raw));
    const stream = new SseStream(this.streams, exchange, memory);
    try {
      this.slots.take(stream);
    } catch (error) {
      memory.release();
      throw error;
    }
    return stream;
  }

  /** Ends the stream if its client does not initialize. Returns a function that stops the timer. */
  #endUnused(stream: SseStream): () => void {
    return callAfter(this.settings.sessions.unusedTimeoutMs, () => {
      if (stream.isSilent) stream.evict();
    });
  }

  /** A stream that was opened without a token belongs to the first caller with a token. */
  #belongs(stream: SseStream, authentication: Authentication | undefined): boolean {
    const { identity } = stream;
    if (identity !== undefined || authentication === undefined) return identity === authentication?.identity;
    this.slots.transfer(stream, authentication.identity, (leaving) =>
      stream.bind(authentication.identity, leaving),
    );
    return true;
  }

  #close(id: string, stream: SseStream): void {
    this.#open.delete(id);
    this.slots.release(stream);
    stream.close();
  }
}

/** A stream's connection, and its writer. */
interface Carrying {
  readonly connection: DuplexConnection;
  readonly writer: EventStreamWriter;
}

/** One client's open stream. */
export class SseStream extends Activity implements SlotHolder {
  readonly isRead = true;
  /** It lasts for as long as its connection. */
  readonly isOver = false;
  readonly address: string | undefined;
  /** The latest token's claims. */
  claims: Claims | undefined;
  #identity: string | undefined;
  #carrying: Carrying | undefined;
  #stopClock: (() => void) | undefined;

  constructor(
    private readonly streams: EventStreams,
    { authentication, address }: { authentication: Authentication | undefined; address: string | undefined },
    /** The stream's memory, excluding its session. */
    private readonly own: MemoryReservation,
  ) {
    super();
    this.#identity = authentication?.identity;
    this.claims = authentication?.claims;
    this.address = address;
  }

  get connection(): DuplexConnection | undefined {
    return this.#carrying?.connection;
  }

  get memory(): MemoryReservation {
    return this.connection?.session?.memory ?? this.own;
  }

  get identity(): string | undefined {
    return this.#identity;
  }

  get isLive(): boolean {
    return this.connection?.session?.isLive === true;
  }

  get isRunning(): boolean {
    return (this.connection?.size ?? 0) > 0;
  }

  /** Whether the client has neither initialized nor sent a request. */
  get isSilent(): boolean {
    return !this.isUsed && this.connection?.session === undefined;
  }

  carry(carrying: Carrying): void {
    this.#carrying = carrying;
  }

  evict(): void {
    this.#carrying?.writer.end();
  }

  /** Ends the stream once all requests have finished, and sends a reconnection time. */
  async leave(): Promise<void> {
    await this.connection?.drain();
    this.#carrying?.writer.dismiss();
  }

  /**
   * Assigns the stream and its session to a caller.
   *
   * @param leaving the session that is evicted in exchange
   * @throws {MemoryLimitError} if it does not fit
   */
  bind(identity: string, leaving: SlotHolder | undefined): void {
    this.own.moveTo(identity);
    this.connection?.session?.bind(identity, leaving);
    this.#identity = identity;
  }

  /** Records the latest token. If streams end with tokens, this one ends with the latest. */
  renew(authentication: Authentication | undefined): void {
    if (authentication === undefined || this.#carrying === undefined) return;
    this.claims = authentication.claims;
    this.#stopClock?.();
    this.#stopClock = this.streams.endWithToken(this.#carrying.writer, authentication.claims);
  }

  /** Closes the connection once the stream ends. */
  close(): void {
    this.#stopClock?.();
    this.connection?.close('The client closed its stream');
    this.own.release();
  }
}
