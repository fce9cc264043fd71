import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Unsubscribable } from 'rxjs';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import { whenTokenEnds } from '../../context/when-token-ends.js';
import type { Claims } from '../../oauth/claims.js';
import type { StreamOptions } from '../../settings/mcp-options.interface.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { breakOffUnread } from './break-off-unread.js';
import { onClientGone } from './on-client-gone.js';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/**
 * Writes one event stream: an event a message, and never more than a bounded amount to a reader that does not read.
 *
 * @see HTML Living Standard §9.2, MCP basic/transports
 */
export class EventStreamWriter {
  #isOpen = true;
  #isWatched = false;
  #mostQueuedBytes: number;

  constructor(
    readonly response: ServerResponse,
    private readonly bounds: Required<StreamOptions>,
    /** Called once, whoever ends the stream. */
    private readonly onEnd: (writer: EventStreamWriter) => void,
  ) {
    this.#mostQueuedBytes = bounds.maximumQueuedBytes;
    onClientGone(response, () => this.#leave());
    if (!this.#isOpen) return;
    response.writeHead(200, HEADERS);
    response.flushHeaders();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Bytes that wait for the reader; infinite where it is gone. */
  get unread(): number {
    return this.#isOpen ? this.response.writableLength : Number.POSITIVE_INFINITY;
  }

  /** Lets what is queued so far wait besides what may: it was kept for the reader, and is bounded by that. */
  allowBacklog(): void {
    this.#mostQueuedBytes = this.bounds.maximumQueuedBytes + this.response.writableLength;
  }

  /** Writes a message, with an id where the reader may come back to it. */
  writeMessage(json: string, id?: string): void {
    const head = id === undefined ? '' : `id: ${id}\n`;
    this.#write(`event: message\n${head}data: ${json}\n\n`);
  }

  /** Tells the reader where to post (MCP 2024-11-05 basic/transports, "HTTP with SSE"). */
  writeEndpoint(uri: string): void {
    this.#write(`event: endpoint\ndata: ${uri}\n\n`);
  }

  /** Gives the reader an id to come back to before there is any message (MCP 2025-11-25 basic/transports). */
  writePriming(id: string): void {
    this.#write(`id: ${id}\ndata: \n\n`);
  }

  /** Ends the stream for a reader that knows how to come back, and says when (MCP 2025-11-25 basic/transports). */
  dismiss(retryMs = this.bounds.retryMs): void {
    this.#write(`retry: ${retryMs}\n\n`);
    this.end();
  }

  /** Shows the reader, and whatever stands between, that the connection lives. */
  writeKeepAlive(): void {
    this.#write(':\n\n');
  }

  /** Ends the stream after what was written. */
  end(): void {
    if (!this.#isOpen) return;
    this.response.end();
    this.#leave();
  }

  #write(text: string): void {
    // Whatever else the application has on the way may have ended the response.
    if (!this.#isOpen || this.response.writableEnded) return;
    this.response.write(text);
    if (this.response.writableLength > this.#mostQueuedBytes) this.#watch();
  }

  /** Node keeps what is written in one turn together, so only after the turn it shows what the reader leaves unread. */
  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    setImmediate(() => {
      this.#isWatched = false;
      if (this.response.writableLength > this.#mostQueuedBytes) this.#cutOff();
    });
  }

  /** A reader that leaves too much unread loses its stream rather than the server its memory. */
  #cutOff(): void {
    if (!this.#isOpen) return;
    this.#leave();
    this.response.destroy();
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.onEnd(this);
  }
}

/** The open event streams of a server: one timer keeps them all alive. */
@Injectable()
export class EventStreams {
  /** Each with what reads for it. */
  readonly #open = new Map<EventStreamWriter, Unsubscribable | undefined>();
  #keepAlive: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(@Inject(SERVER_SETTINGS) private readonly settings: ServerSettings) {}

  /** Tells whether every stream was ended, and none should begin any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Begins an event stream as the answer to a request; what reads for it is unsubscribed when it ends. */
  begin(response: ServerResponse, reading?: Unsubscribable): EventStreamWriter {
    const { streams } = this.settings;
    const writer = new EventStreamWriter(response, streams, this.#forget);
    if (writer.isOpen) this.#open.set(writer, reading);
    else reading?.unsubscribe();
    this.#keepAlive ??= setInterval(() => this.#keepAllAlive(), streams.keepAliveMs).unref();
    return writer;
  }

  /** Ends a stream when it is as old as streams may be; gives what stops the clock, where there is one. */
  limitAge(writer: EventStreamWriter): (() => void) | undefined {
    const { maximumAgeMs } = this.settings.streams;
    if (maximumAgeMs === 0) return undefined;
    const timer = setTimeout(() => writer.dismiss(), maximumAgeMs).unref();
    return () => clearTimeout(timer);
  }

  /** Ends a stream with the token that it was opened by, where that is wanted; gives what stops the clock, where there is one. */
  endWithToken(writer: EventStreamWriter, claims: Claims): (() => void) | undefined {
    if (this.settings.auth?.endStreamsWithToken !== true) return undefined;
    return whenTokenEnds(claims, () => writer.dismiss());
  }

  /** Ends every stream. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#keepAlive);
    for (const writer of this.#open.keys()) writer.end();
  }

  /** One function for all writers, since a closure for each would keep what it closes over as long as the stream is open. */
  readonly #forget = (writer: EventStreamWriter): void => {
    const reading = this.#open.get(writer);
    this.#open.delete(writer);
    reading?.unsubscribe();
    breakOffUnread(writer.response, this.settings.limits.transferTimeoutMs);
  };

  #keepAllAlive(): void {
    for (const writer of this.#open.keys()) writer.writeKeepAlive();
  }
}
