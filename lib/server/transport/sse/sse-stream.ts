import type { Claims } from '../../../core/oauth/claims.js';
import type { Authentication } from '../../context/authentication.js';
import type { MemoryHold } from '../../memory/memory-hold.js';
import { Activity } from '../../sessions/activity.js';
import type { PlaceHolder } from '../../sessions/places/place-holder.interface.js';
import type { EventStreamWriter } from '../http/streams/event-stream-writer.js';
import type { EventStreams } from '../http/streams/event-streams.js';
import type { DuplexConnection } from '../duplex/duplex-connection.js';

/** What a stream carries, and who writes it. */
interface Carrying {
  readonly connection: DuplexConnection;
  readonly writer: EventStreamWriter;
}

/** The open stream of one client, and whose it is. */
export class SseStream extends Activity implements PlaceHolder {
  readonly isRead = true;
  /** It lasts as long as its connection. */
  readonly isOver = false;
  readonly address: string | undefined;
  /** What the latest token says. */
  claims: Claims | undefined;
  #identity: string | undefined;
  #carrying: Carrying | undefined;
  #stopClock: (() => void) | undefined;

  constructor(
    private readonly streams: EventStreams,
    { authentication, address }: { authentication: Authentication | undefined; address: string | undefined },
    /** What the stream takes, besides its session. */
    private readonly own: MemoryHold,
  ) {
    super();
    this.#identity = authentication?.identity;
    this.claims = authentication?.claims;
    this.address = address;
  }

  get connection(): DuplexConnection | undefined {
    return this.#carrying?.connection;
  }

  get memory(): MemoryHold {
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

  /** Whether the client has neither shaken hands nor asked for anything. */
  get isSilent(): boolean {
    return !this.isUsed && this.connection?.session === undefined;
  }

  carry(carrying: Carrying): void {
    this.#carrying = carrying;
  }

  giveUp(): void {
    this.#carrying?.writer.end();
  }

  /** Ends the stream once everything is answered that the client asked for, and tells it to come back. */
  async leave(): Promise<void> {
    await this.connection?.drain();
    this.#carrying?.writer.dismiss();
  }

  /**
   * Gives the stream, and the session that it carries, to a caller for good.
   *
   * @param leaving what the caller gives up for it
   * @throws {MemoryLimitError} if the caller has no memory for it
   */
  bind(identity: string, leaving: PlaceHolder | undefined): void {
    this.own.moveTo(identity);
    this.connection?.session?.bind(identity, leaving);
    this.#identity = identity;
  }

  /** Notes who posts, or opened the stream: if streams end with tokens, it ends with the latest. */
  renew(authentication: Authentication | undefined): void {
    if (authentication === undefined || this.#carrying === undefined) return;
    this.claims = authentication.claims;
    this.#stopClock?.();
    this.#stopClock = this.streams.endWithToken(this.#carrying.writer, authentication.claims);
  }

  /** Ends what the stream carried, once it is over. */
  close(): void {
    this.#stopClock?.();
    this.connection?.close('The client closed its stream');
    this.own.release();
  }
}
