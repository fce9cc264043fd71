import type { Authentication } from '../../context/authentication.interface.js';
import type { EventStreamWriter } from '../http/streams/event-stream-writer.js';
import type { EventStreams } from '../http/streams/event-streams.js';
import type { PipeConnection } from '../pipe/pipe-connection.js';

/** The open stream of one client, and whose it is. */
export class SseStream {
  #identity: string | undefined;
  #stopClock: (() => void) | undefined;

  constructor(
    readonly pipe: PipeConnection,
    private readonly writer: EventStreamWriter,
    private readonly streams: EventStreams,
  ) {}

  get identity(): string | undefined {
    return this.#identity;
  }

  /** Notes who posts, or opened the stream: where streams end with tokens, it ends with the latest. */
  renew(authentication: Authentication | undefined): void {
    if (authentication === undefined) return;
    this.#identity ??= authentication.identity;
    this.#stopClock?.();
    this.#stopClock = this.streams.endWithToken(this.writer, authentication.claims);
  }

  /** Ends what the stream carried, once it is over. */
  close(): void {
    this.#stopClock?.();
    this.pipe.close('The client closed its stream');
  }
}
