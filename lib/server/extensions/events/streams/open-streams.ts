import { McpError } from '../../../../core/protocol/mcp.error.js';
import { CallerShares } from '../../../sessions/caller-shares.js';
import type { EventsSettings } from '../../../settings/extensions/events-options.js';
import { EventError } from '../event.error.js';
import type { EventStream } from './event-stream.js';

/** The open `events/stream` requests of a server: bounded, kept alive by one timer, and ended together. */
export class OpenStreams {
  readonly #open = new Set<EventStream>();
  readonly #shares: CallerShares;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param isProtected whether the server asks for tokens: callers without one leave room for those who have one */
  constructor(
    private readonly bounds: EventsSettings,
    isProtected = false,
  ) {
    const { maxStreams: all, maxStreamsPerCaller: perIdentity } = bounds;
    this.#shares = new CallerShares({ all, perIdentity, isProtected });
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Runs a stream to its end.
   *
   * @throws {EventError} -32013 if there are as many as there may be, all together or of this caller
   * @throws {McpError} if the server shuts down
   */
  async run(stream: EventStream): Promise<void> {
    this.#add(stream);
    try {
      stream.start();
      await stream.over;
    } finally {
      this.#remove(stream);
    }
  }

  /** Ends every stream with its result, and lets none begin. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.finish();
  }

  #add(stream: EventStream): void {
    if (this.#isClosed) throw McpError.shuttingDown(503);
    const bound = this.#shares.findBound(stream);
    if (bound !== undefined) throw EventError.tooManySubscriptions(bound);
    this.#shares.add(stream);
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#beat(), this.bounds.heartbeatMs).unref();
  }

  #remove(stream: EventStream): void {
    this.#open.delete(stream);
    this.#shares.remove(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    for (const stream of this.#open) {
      if (stream.isUnreadFor(this.bounds.unreadTimeoutMs)) stream.finish();
      else stream.beat();
    }
  }
}
