import type { ServerResponse } from 'node:http';
import { addJitter } from '../../../../core/async/timers.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { countQueuedBytes, onClientGone, onStalled } from '../connections/client-progress.js';
import type { MemoryBudget, MemoryReservation } from '../../../memory/memory-budget.js';
import { HttpExchange } from '../http-exchange.js';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/**
 * Writes an event stream, one event per message, with a limited queue for slow readers.
 *
 * @see HTML Living Standard §9.2, MCP basic/transports
 */
export class EventStreamWriter {
  /** Whether messages are frequent enough to serve as heartbeats. */
  showsLife = false;
  #isOpen = true;
  #isWatched = false;
  #mostQueuedBytes: number;
  /** The size of the message that exceeded the limit. */
  #surplusMessageBytes = 0;
  #stopClock: (() => void) | undefined;
  #own: ExclusiveWriter | undefined;

  constructor(
    readonly response: ServerResponse,
    private readonly settings: Pick<ServerSettings, 'streams' | 'limits'>,
    /** Called once, however the stream ends. */
    private readonly onEnd: (writer: EventStreamWriter) => void,
    private readonly backlog?: Backlog,
  ) {
    this.#mostQueuedBytes = settings.streams.maxQueuedBytes;
    onClientGone(response, () => this.#leave());
    if (!this.#isOpen) return;
    response.writeHead(200, HEADERS);
    response.flushHeaders();
    outlastSilence(response);
    this.#own = new ExclusiveWriter(response);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Queued bytes; infinite if the reader is gone. */
  get unread(): number {
    return this.#isOpen ? countQueuedBytes(this.response) : Number.POSITIVE_INFINITY;
  }

  /** Excludes the messages queued so far from the limit. They were already stored within their session's limit. */
  allowBacklog(): void {
    this.#mostQueuedBytes = this.settings.streams.maxQueuedBytes + countQueuedBytes(this.response);
  }

  /** Writes a message, with an id if the reader may resume from it. */
  writeMessage(json: string, id?: string): void {
    this.#write(frameMessage(json, id));
  }

  /**
   * Sends the URL for POSTs (MCP 2024-11-05 basic/transports, "HTTP with SSE"). The id carries no information: an
   * `EventSource` sends it when it reconnects, which identifies such clients. Until then its POSTs are lost, so the retry
   * delay is short.
   */
  writeEndpoint(uri: string): void {
    this.#write(`event: endpoint\nid: 0\nretry: ${this.settings.streams.retryMs}\ndata: ${uri}\n\n`);
  }

  /** Sends an event id from which to resume, before there is any message (MCP 2025-11-25 basic/transports). */
  writePriming(id: string): void {
    this.#write(`id: ${id}\ndata: \n\n`);
  }

  /** Ends the stream for a reader that can resume, with a retry delay (MCP 2025-11-25 basic/transports). */
  dismiss(retryMs = addJitter(this.settings.streams.retryMs)): void {
    this.#write(`retry: ${retryMs}\n\n`);
    this.end();
  }

  /** Prevents the connection from timing out. On a {@link showsLife live} stream, messages do this. */
  writeKeepAlive(): void {
    if (!this.showsLife) this.#write(':\n\n');
  }

  /** Ends the stream after the queued messages. */
  end(): void {
    if (!this.#isOpen) return;
    this.#own?.end();
    this.#leave();
  }

  #write(text: string): void {
    // Something else in the application may have ended the response.
    if (!this.#isOpen || this.response.writableEnded) return;
    const queuedBefore = countQueuedBytes(this.response);
    this.#own?.write(text);
    const queued = countQueuedBytes(this.response);
    if (queued <= this.#mostQueuedBytes) this.#endClock();
    else if (queuedBefore <= this.#mostQueuedBytes) this.#surplusMessageBytes = queued - queuedBefore;
    if (queued > this.#mostQueuedBytes || this.backlog?.isLong === true) this.#watch();
  }

  /** Node corks the writes of one turn, so the queue length is accurate only afterwards. */
  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    setImmediate(() => {
      this.#isWatched = false;
      this.#judgeReader();
    });
  }

  /**
   * A message may be of any size, and Node counts all of it until its last byte is sent. The queue without the last
   * message therefore shows whether the reader keeps up, and the timeout shows whether it reads at all.
   */
  #judgeReader(): void {
    const hasRoom = this.backlog?.count() !== false;
    if (!this.#isOpen) return;
    if (!hasRoom) return this.#cutOff();
    if (this.#surplusBytes <= 0) return;
    // A stream pipelined behind another response is never read.
    const mayWait = this.response.socket === null ? 0 : this.#surplusMessageBytes;
    if (this.#surplusBytes > mayWait) return this.#cutOff();
    this.#stopClock ??= onStalled(this.response, this.settings.limits.transferTimeoutMs, () => {
      if (this.#surplusBytes > 0) this.#cutOff();
      else this.#endClock();
    });
  }

  get #surplusBytes(): number {
    return countQueuedBytes(this.response) - this.#mostQueuedBytes;
  }

  #endClock(): void {
    this.#stopClock?.();
    this.#stopClock = undefined;
  }

  /** Disconnects a slow reader before the server runs out of memory. */
  #cutOff(): void {
    if (!this.#isOpen) return;
    this.#leave();
    this.response.destroy();
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#endClock();
    this.onEnd(this);
  }
}

/**
 * Disables the application's socket timeout (`server.setTimeout()`, Fastify's `connectionTimeout`) while nothing is
 * sent. Node sets a new timeout for the next request. HTTP/2 sockets are shared by streams, and serverless adapters'
 * sockets may have no timeouts.
 */
function outlastSilence({ req }: Pick<ServerResponse, 'req'>): void {
  const { socket, httpVersionMajor } = req;
  if (httpVersionMajor === 1 && socket.timeout !== undefined && socket.timeout > 0) socket.setTimeout(0);
}

/** The maximum length of a message that is cached for framing, in characters. */
const LONGEST_REMEMBERED = 4096;

/** The last frame. */
let framed: { readonly json: string; readonly id: string | undefined; readonly frame: string } | undefined;

/**
 * Formats a message as an event. A notification goes to many streams in a row, mostly with the same id, so the last frame
 * is cached instead of being concatenated per stream.
 *
 * @see HTML Living Standard §9.2
 */
export function frameMessage(json: string, id: string | undefined): string {
  if (framed?.id === id && framed?.json === json) return framed.frame;
  const head = id === undefined ? '' : `id: ${id}\n`;
  const frame = `event: message\n${head}data: ${json}\n\n`;
  if (json.length <= LONGEST_REMEMBERED) framed = { json, id, frame };
  return frame;
}

/** Queued bytes that are not counted. */
const UNCOUNTED_BYTES = 65_536;

/** Counts the memory of messages that a slow reader has queued. */
export class Backlog {
  #hold: MemoryReservation | undefined;

  constructor(
    private readonly memory: MemoryBudget,
    private readonly response: ServerResponse,
  ) {}

  /** Whether the queue is long enough to be counted. */
  get isLong(): boolean {
    return countQueuedBytes(this.response) > UNCOUNTED_BYTES;
  }

  /** Counts the queue. Returns whether it fits. */
  count(): boolean {
    if (this.#hold === undefined && !this.isLong) return true;
    this.#hold ??= this.#begin();
    const queued = countQueuedBytes(this.response);
    const hasRoom = this.#hold.tryAdd(queued - this.#hold.bytes);
    if (!hasRoom) this.#hold.resize(queued);
    return hasRoom;
  }

  #begin(): MemoryReservation {
    const { response } = this;
    const hold = this.memory.hold(HttpExchange.find(response.req)?.caller ?? {}, 0, true);
    response.on('drain', () => hold.resize(countQueuedBytes(response)));
    onClientGone(response, () => hold.release());
    return hold;
  }
}

/** Methods that write to a response, or throw once it has started. */
const WRITERS = [
  'setHeader',
  'setHeaders',
  'appendHeader',
  'removeHeader',
  'writeHead',
  'flushHeaders',
  'end',
];

/** Shared by all responses, because per-stream functions would be retained for as long as the stream is open. */
const CLOSED: Readonly<Record<string, unknown>> = {
  write: () => true,
  ...Object.fromEntries(WRITERS.map((name) => [name, doNothing])),
};

function doNothing(this: ServerResponse): ServerResponse {
  return this;
}

/**
 * Makes a response ignore further writes. The application's interceptors and filters can still access it while it
 * streams. Setting a header would throw, and the response to that error would end the stream.
 */
export function ignoreFurtherWrites(response: ServerResponse): void {
  Object.assign(response, CLOSED);
}

/** Makes a response ignore all writes but its own. */
export class ExclusiveWriter {
  readonly #write: (text: string) => boolean;
  readonly #end: () => ServerResponse;

  constructor(private readonly response: ServerResponse) {
    ({ write: this.#write, end: this.#end } = response);
    ignoreFurtherWrites(response);
  }

  write(text: string): void {
    this.#write.call(this.response, text);
  }

  end(): void {
    this.#end.call(this.response);
  }
}
