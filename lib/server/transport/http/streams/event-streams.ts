import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Unsubscribable } from 'rxjs';
import type { Claims } from '../../../../core/oauth/access-token.js';
import { whenTokenEnds } from '../../../context/authentication.js';
import { MemoryBudget } from '../../../memory/memory-budget.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { destroyIfUnread } from '../connections/client-progress.js';
import { Backlog, EventStreamWriter } from './event-stream-writer.js';
import { Logger } from '../../../../core/logger/logger.js';
import type { LogSubject } from '../../../log/format-line.js';
import { logFailure } from '../../../log/log-failure.js';
import { HeapCost } from '../../../memory/memory-limits.js';

/** The open event streams of a server: one timer keeps them all alive. */
export class EventStreams {
  /** Answers that may become streams because they are long in coming. */
  readonly silent: SilentReplies;
  /** Each with what reads for it. */
  readonly #open = new Map<EventStreamWriter, Unsubscribable | undefined>();
  /** Those of clients who wait for whatever comes. */
  readonly #standing = new Set<EventStreamWriter>();
  #keepAlive: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly settings: ServerSettings,
    private readonly memory: MemoryBudget = new MemoryBudget(settings),
  ) {
    this.silent = new SilentReplies(settings.streams.beginAfterMs);
  }

  /** Tells whether no stream should begin any more except those of running calls. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The streams that are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Bytes that wait for the readers of all streams. */
  get queuedBytes(): number {
    let bytes = 0;
    for (const { unread } of this.#open.keys()) bytes += unread;
    return bytes;
  }

  /** Begins an event stream as the answer to a request; what reads for it is unsubscribed when it ends. */
  begin(response: ServerResponse, reading?: Unsubscribable): EventStreamWriter {
    const backlog = new Backlog(this.memory, response);
    const writer = new EventStreamWriter(response, this.settings, this.#forget, backlog);
    if (writer.isOpen) this.#open.set(writer, reading);
    else reading?.unsubscribe();
    this.#keepAlive ??= setInterval(() => this.#keepAllAlive(), this.settings.streams.keepAliveMs).unref();
    return writer;
  }

  /** Ends a stream at its maximum age. Returns a function that stops the timer, if there is one. */
  limitAge(writer: EventStreamWriter): (() => void) | undefined {
    const { maxAgeMs } = this.settings.streams;
    if (maxAgeMs === 0) return undefined;
    const timer = setTimeout(() => writer.dismiss(), maxAgeMs).unref();
    return () => clearTimeout(timer);
  }

  /** Ends a stream when its token expires, if the option says so. Returns a function that stops the timer, if there is one. */
  endWithToken(writer: EventStreamWriter, claims: Claims): (() => void) | undefined {
    if (this.settings.auth?.endStreamsWithToken !== true) return undefined;
    return whenTokenEnds(claims, () => writer.dismiss());
  }

  /** Notes that a stream belongs to no call. */
  addStandalone(writer: EventStreamWriter): void {
    if (writer.isOpen) this.#standing.add(writer);
  }

  /** Lets go of clients who wait for whatever comes, and says when to come back. */
  leave(): void {
    this.#isClosed = true;
    for (const writer of this.#standing) writer.dismiss();
  }

  /** Ends every stream. */
  close(): void {
    this.#isClosed = true;
    this.silent.close();
    clearInterval(this.#keepAlive);
    for (const writer of this.#open.keys()) writer.end();
  }

  /** One function for all writers, since a closure for each would keep what it closes over as long as the stream is open. */
  readonly #forget = (writer: EventStreamWriter): void => {
    const reading = this.#open.get(writer);
    this.#open.delete(writer);
    this.#standing.delete(writer);
    reading?.unsubscribe();
    destroyIfUnread(writer.response, this.settings.limits.transferTimeoutMs);
  };

  #keepAllAlive(): void {
    for (const writer of this.#open.keys()) writer.writeKeepAlive();
  }
}

/** An answer of which nothing was sent yet. */
export interface SilentReply {
  /** Where the reply waits; {@link SilentReplies} alone sets it. */
  entry: QueueEntry | undefined;
  /** The request that it answers, for the log. */
  readonly http?: NonNullable<LogSubject['http']> & Pick<LogSubject, 'authentication'>;
  /** Begins the event stream of the answer, if its client is there and shows that it can read one. */
  beginStream(): void;
}

/** A link of the chain of those who wait, oldest first: to enter and to leave it costs less than with a map. */
export class QueueEntry {
  previous: QueueEntry = this;
  next: QueueEntry = this;

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
  readonly #ends = new QueueEntry(undefined, 0);
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #look = 0;

  /** @param afterMs milliseconds after which a stream begins, and a quarter of that later at the latest; 0 is never */
  constructor(private readonly afterMs: number) {
    this.#periodMs = Math.ceil(afterMs / LOOKS);
  }

  /** Begins the stream of a reply when its time is over; until it is {@link forget forgotten}. */
  watch(reply: SilentReply): void {
    if (this.afterMs === 0 || reply.entry !== undefined) return;
    const place = new QueueEntry(reply, this.#look);
    const last = this.#ends.previous;
    place.previous = last;
    place.next = this.#ends;
    last.next = place;
    this.#ends.previous = place;
    reply.entry = place;
    this.#timer ??= setInterval(() => this.#beginLate(), this.#periodMs).unref();
  }

  /** Watches a reply no longer: it is not silent any more. */
  forget(reply: SilentReply): void {
    const { entry: place } = reply;
    if (place === undefined) return;
    place.previous.next = place.next;
    place.next.previous = place.previous;
    reply.entry = undefined;
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
      if (this.#look - (reply.entry?.look ?? 0) <= LOOKS) return;
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

/** Returns the memory of a request whose answer is a stream: its headers are kept as long as that is open. */
export function estimateStream({
  rawHeaders,
  url = '',
}: Pick<IncomingMessage, 'rawHeaders' | 'url'>): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, HeapCost.request + url.length);
}
