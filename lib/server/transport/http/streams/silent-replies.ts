import { Logger } from '@nestjs/common';
import { describeThrown } from '../../../dispatch/describe-thrown.js';

/** An answer of which nothing was sent yet. */
export interface SilentReply {
  /** Begins the event stream of the answer, where its client is there and shows that it can read one. */
  beginStream(): void;
}

/** How often it is looked, in parts of the time after which a stream begins. */
const LOOKS = 4;

/**
 * Begins the event streams of calls that say nothing for long: a proxy, or the client itself, would take the silence for the end of
 * the connection. One timer counts for all of them, and only while there are any: most calls are answered before it fires.
 */
export class SilentReplies {
  /** Each with the look before which it came, oldest first. */
  readonly #waiting = new Map<SilentReply, number>();
  readonly #logger = new Logger('McpHttpTransport');
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #look = 0;

  /** @param afterMs milliseconds after which a stream begins, and a quarter of that later at the latest; 0 is never */
  constructor(private readonly afterMs: number) {
    this.#periodMs = Math.ceil(afterMs / LOOKS);
  }

  /** Begins the stream of a reply when its time is over; until it is {@link forget forgotten}. */
  watch(reply: SilentReply): void {
    if (this.afterMs === 0 || this.#waiting.has(reply)) return;
    this.#waiting.set(reply, this.#look);
    this.#timer ??= setInterval(() => this.#beginLate(), this.#periodMs).unref();
  }

  /** Watches a reply no longer: it is not silent any more. */
  forget(reply: SilentReply): void {
    this.#waiting.delete(reply);
  }

  /** Watches nothing any more. */
  close(): void {
    this.#waiting.clear();
    this.#stop();
  }

  #beginLate(): void {
    if (this.#waiting.size === 0) return this.#stop();
    this.#look += 1;
    for (const [reply, look] of this.#waiting) {
      // It came at some time before the first of these looks, so one more has to pass.
      if (this.#look - look <= LOOKS) return;
      this.#waiting.delete(reply);
      this.#begin(reply);
    }
  }

  /** What the application listens to of its responses may throw: here it would end the process. */
  #begin(reply: SilentReply): void {
    try {
      reply.beginStream();
    } catch (error) {
      this.#logger.error(describeThrown(error));
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
