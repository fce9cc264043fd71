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

/** A server's open event streams, with one keep-alive timer for all of them. */
export class EventStreams {
  /** Replies that become streams if their response is slow. */
  readonly silent: SilentReplies;
  /** Each with the subscription that feeds it. */
  readonly #open = new Map<EventStreamWriter, Unsubscribable | undefined>();
  /** Standalone streams. */
  readonly #standalone = new Set<EventStreamWriter>();
  #keepAlive: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly settings: ServerSettings,
    private readonly memory: MemoryBudget = new MemoryBudget(settings),
  ) {
    this.silent = new SilentReplies(settings.streams.beginAfterMs);
  }

  /** Whether only running calls may still start a stream. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** Queued bytes of all streams. */
  get queuedBytes(): number {
    let bytes = 0;
    for (const { unread } of this.#open.keys()) bytes += unread;
    return bytes;
  }

  /** Starts an event stream as a response. `reading` is unsubscribed when it ends. */
  begin(response: ServerResponse, reading?: Unsubscribable): EventStreamWriter {
    const backlog = new Backlog(this.memory, response);
    const writer = new EventStreamWriter(response, this.settings, this.#forget, backlog);
    if (writer.isOpen) this.#open.set(writer, reading);
    else reading?.unsubscribe();
    this.#keepAlive ??= setInterval(() => this.#keepAllAlive(), this.settings.streams.keepAliveMs).unref();
    return writer;
  }

  /** Ends a stream at its maximum age. Returns a function that stops the timer, if any. */
  limitAge(writer: EventStreamWriter): (() => void) | undefined {
    const { maxAgeMs } = this.settings.streams;
    if (maxAgeMs === 0) return undefined;
    const timer = setTimeout(() => writer.dismiss(), maxAgeMs).unref();
    return () => clearTimeout(timer);
  }

  /** Ends a stream when its token expires, if so configured. Returns a function that stops the timer, if any. */
  endWithToken(writer: EventStreamWriter, claims: Claims): (() => void) | undefined {
    if (this.settings.auth?.endStreamsWithToken !== true) return undefined;
    return whenTokenEnds(claims, () => writer.dismiss());
  }

  /** Adds a standalone stream. */
  addStandalone(writer: EventStreamWriter): void {
    if (writer.isOpen) this.#standalone.add(writer);
  }

  /** Disconnects clients of standalone streams, with a retry delay. */
  leave(): void {
    this.#isClosed = true;
    for (const writer of this.#standalone) writer.dismiss();
  }

  /** Ends every stream. */
  close(): void {
    this.#isClosed = true;
    this.silent.close();
    clearInterval(this.#keepAlive);
    for (const writer of this.#open.keys()) writer.end();
  }

  /** Shared by all writers, because closures would be retained for as long as their streams are open. */
  readonly #forget = (writer: EventStreamWriter): void => {
    const reading = this.#open.get(writer);
    this.#open.delete(writer);
    this.#standalone.delete(writer);
    reading?.unsubscribe();
    destroyIfUnread(writer.response, this.settings.limits.transferTimeoutMs);
  };

  #keepAllAlive(): void {
    for (const writer of this.#open.keys()) writer.writeKeepAlive();
  }
}

/** A reply that has not sent anything yet. */
export interface SilentReply {
  /** Its queue entry, which only {@link SilentReplies} sets. */
  entry: QueueEntry | undefined;
  /** The HTTP request, for the log. */
  readonly http?: NonNullable<LogSubject['http']> & Pick<LogSubject, 'authentication'>;
  /** Starts the event stream, if the client is connected and accepts one. */
  beginStream(): void;
}

/** An entry of a linked queue, oldest first, which is cheaper to enter and to leave than a map. */
export class QueueEntry {
  previous: QueueEntry = this;
  next: QueueEntry = this;

  constructor(
    readonly reply: SilentReply | undefined,
    /** The tick at which the reply was added. */
    readonly look: number,
  ) {}
}

/** Ticks per delay. */
const LOOKS = 4;

/**
 * Starts slow calls' event streams, because a proxy or the client could mistake silence for a lost connection. One
 * timer serves all of them, and runs only while there are any; most calls respond before it fires.
 */
export class SilentReplies {
  readonly #logger = new Logger('McpHttpTransport');
  /** The head of the circular queue. */
  readonly #ends = new QueueEntry(undefined, 0);
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #look = 0;

  /** @param afterMs milliseconds until a stream starts, and up to a quarter more; 0 disables this */
  constructor(private readonly afterMs: number) {
    this.#periodMs = Math.ceil(afterMs / LOOKS);
  }

  /** Starts a reply's stream after the delay unless it is {@link forget forgotten}. */
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

  /** Removes a reply, which is no longer silent. */
  forget(reply: SilentReply): void {
    const { entry: place } = reply;
    if (place === undefined) return;
    place.previous.next = place.next;
    place.next.previous = place.previous;
    reply.entry = undefined;
  }

  /** Removes all replies. */
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
      // It was added before the first of these ticks, so one more must pass.
      if (this.#look - (reply.entry?.look ?? 0) <= LOOKS) return;
      this.forget(reply);
      this.#begin(reply);
    }
  }

  /** The application's listeners on its responses may throw, which would crash the process here. */
  #begin(reply: SilentReply): void {
    try {
      reply.beginStream();
    } catch (error) {
      const { http } = reply;
      const subject = { http, authentication: http?.authentication };
      logFailure(this.#logger, 'The response stream could not be opened', { failure: error, subject });
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * Estimates the memory of a request whose response is a stream, because its headers are retained while the stream is
 * open.
 */
export function estimateStream({
  rawHeaders,
  url = '',
}: Pick<IncomingMessage, 'rawHeaders' | 'url'>): number {
  return rawHeaders.reduce((sum, { length }) => sum + length, HeapCost.request + url.length);
}
