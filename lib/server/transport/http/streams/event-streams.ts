import type { ServerResponse } from 'node:http';
import type { Unsubscribable } from 'rxjs';
import type { Claims } from '../../../../core/oauth/claims.js';
import { whenTokenEnds } from '../../../context/authentication.js';
import { MemoryBudget } from '../../../memory/memory-budget.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { breakOffUnread } from '../connections/unread-answers.js';
import { Backlog } from './backlog.js';
import { EventStreamWriter } from './event-stream-writer.js';
import { SilentReplies } from './silent-replies.js';

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
  noteStanding(writer: EventStreamWriter): void {
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
    breakOffUnread(writer.response, this.settings.limits.transferTimeoutMs);
  };

  #keepAllAlive(): void {
    for (const writer of this.#open.keys()) writer.writeKeepAlive();
  }
}
