import { Logger } from '../../../../core/logger/logger.js';
import type { LogSubject } from '../../../log/format-line.js';
import { logFailure } from '../../../log/log-failure.js';

/** An answer of which nothing was sent yet. */
export interface SilentReply {
  /** Where the reply waits; {@link SilentReplies} alone sets it. */
  place: Place | undefined;
  /** The request that it answers, for the log. */
  readonly http?: NonNullable<LogSubject['http']> & Pick<LogSubject, 'authentication'>;
  /** Begins the event stream of the answer, if its client is there and shows that it can read one. */
  beginStream(): void;
}

/** A link of the chain of those who wait, oldest first: to enter and to leave it costs less than with a map. */
export class Place {
  previous: Place = this;
  next: Place = this;

  constructor(
    readonly reply: SilentReply | undefined,
    /** The look before which the reply came. */
    readonly look: number,
  ) {}
}

/** How often it is looked, in parts of the time after which a stream begins. */
const LOOKS = 4;

/**
 * Begins the event streams of calls that say nothing for long: a proxy, or the client itself, would take the silence for the end of
 * the connection. One timer counts for all of them, and only while there are any: most calls are answered before it fires.
 */
export class SilentReplies {
  readonly #logger = new Logger('McpHttpTransport');
  /** Closes the chain to a ring. */
  readonly #ends = new Place(undefined, 0);
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #look = 0;

  /** @param afterMs milliseconds after which a stream begins, and a quarter of that later at the latest; 0 is never */
  constructor(private readonly afterMs: number) {
    this.#periodMs = Math.ceil(afterMs / LOOKS);
  }

  /** Begins the stream of a reply when its time is over; until it is {@link forget forgotten}. */
  watch(reply: SilentReply): void {
    if (this.afterMs === 0 || reply.place !== undefined) return;
    const place = new Place(reply, this.#look);
    const last = this.#ends.previous;
    place.previous = last;
    place.next = this.#ends;
    last.next = place;
    this.#ends.previous = place;
    reply.place = place;
    this.#timer ??= setInterval(() => this.#beginLate(), this.#periodMs).unref();
  }

  /** Watches a reply no longer: it is not silent any more. */
  forget(reply: SilentReply): void {
    const { place } = reply;
    if (place === undefined) return;
    place.previous.next = place.next;
    place.next.previous = place.previous;
    reply.place = undefined;
  }

  /** Watches nothing any more. */
  close(): void {
    for (let reply = this.#first; reply !== undefined; reply = this.#first) this.forget(reply);
    this.#stop();
  }

  get #first(): SilentReply | undefined {
    return this.#ends.next.reply;
  }

  #beginLate(): void {
    if (this.#first === undefined) return this.#stop();
    this.#look += 1;
    for (let reply = this.#first; reply !== undefined; reply = this.#first) {
      // It came at some time before the first of these looks, so one more has to pass.
      if (this.#look - (reply.place?.look ?? 0) <= LOOKS) return;
      this.forget(reply);
      this.#begin(reply);
    }
  }

  /** What the application listens to of its responses may throw: here it would end the process. */
  #begin(reply: SilentReply): void {
    try {
      reply.beginStream();
    } catch (error) {
      const { http } = reply;
      const subject = { http, authentication: http?.authentication };
      logFailure(this.#logger, 'The stream of an answer could not begin', { failure: error, subject });
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
