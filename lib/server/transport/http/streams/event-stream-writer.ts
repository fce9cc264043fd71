import type { ServerResponse } from 'node:http';
import { addJitter } from '../../../../core/async/timers.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { countQueuedBytes, onClientGone, onStalled } from '../connections/client-progress.js';
import type { MemoryBudget, MemoryHold } from '../../../memory/memory-budget.js';
import { HttpExchange } from '../http-exchange.js';

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
  /** Whether messages come often enough to show that the connection lives. */
  showsLife = false;
  #isOpen = true;
  #isWatched = false;
  #mostQueuedBytes: number;
  /** The size of the message by which more waits than may. */
  #surplusMessageBytes = 0;
  #stopClock: (() => void) | undefined;
  #own: ExclusiveWriter | undefined;

  constructor(
    readonly response: ServerResponse,
    private readonly settings: Pick<ServerSettings, 'streams' | 'limits'>,
    /** Is called once, at any end of the stream. */
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

  /** Bytes that wait for the reader; infinite if it is gone. */
  get unread(): number {
    return this.#isOpen ? countQueuedBytes(this.response) : Number.POSITIVE_INFINITY;
  }

  /** Does not count the messages queued so far against the limit. They were kept for the reader within another bound. */
  allowBacklog(): void {
    this.#mostQueuedBytes = this.settings.streams.maxQueuedBytes + countQueuedBytes(this.response);
  }

  /** Writes a message, with an id if the reader may come back to it. */
  writeMessage(json: string, id?: string): void {
    this.#write(frameMessage(json, id));
  }

  /**
   * Tells the reader where to post (MCP 2024-11-05 basic/transports, "HTTP with SSE"). The id means nothing: an
   * `EventSource` sends it when it comes back, which tells such clients apart. Until then what it posts is lost, so it is to
   * come back soon.
   */
  writeEndpoint(uri: string): void {
    this.#write(`event: endpoint\nid: 0\nretry: ${this.settings.streams.retryMs}\ndata: ${uri}\n\n`);
  }

  /** Gives the reader an id to come back to before there is any message (MCP 2025-11-25 basic/transports). */
  writePriming(id: string): void {
    this.#write(`id: ${id}\ndata: \n\n`);
  }

  /** Ends the stream for a reader that knows how to come back, and says when (MCP 2025-11-25 basic/transports). */
  dismiss(retryMs = addJitter(this.settings.streams.retryMs)): void {
    this.#write(`retry: ${retryMs}\n\n`);
    this.end();
  }

  /** Shows the reader and every proxy that the connection is alive. Messages do this themselves on a {@link showsLife live} stream. */
  writeKeepAlive(): void {
    if (!this.showsLife) this.#write(':\n\n');
  }

  /** Ends the stream after what was written. */
  end(): void {
    if (!this.#isOpen) return;
    this.#own?.end();
    this.#leave();
  }

  #write(text: string): void {
    // Whatever else the application has on the way may have ended the response.
    if (!this.#isOpen || this.response.writableEnded) return;
    const queuedBefore = countQueuedBytes(this.response);
    this.#own?.write(text);
    const queued = countQueuedBytes(this.response);
    if (queued <= this.#mostQueuedBytes) this.#endClock();
    else if (queuedBefore <= this.#mostQueuedBytes) this.#surplusMessageBytes = queued - queuedBefore;
    if (queued > this.#mostQueuedBytes || this.backlog?.isLong === true) this.#watch();
  }

  /** Node collects the data of one turn. Only after the turn, it shows how much the reader leaves unread. */
  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    setImmediate(() => {
      this.#isWatched = false;
      this.#judgeReader();
    });
  }

  /**
   * A message may be of any size, and Node counts all of it until its last byte is taken. So the waiting bytes without the
   * last message show whether the reader keeps up. The time shows whether it reads at all.
   */
  #judgeReader(): void {
    const hasRoom = this.backlog?.count() !== false;
    if (!this.#isOpen) return;
    if (!hasRoom) return this.#cutOff();
    if (this.#surplusBytes <= 0) return;
    // Behind another answer on its connection it is read by nobody.
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

  /** A reader that leaves too much unread loses its stream rather than the server its memory. */
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
 * Keeps a connection open while nothing is sent, however short the application's time-out for sockets is (`server.setTimeout()`, Fastify's
 * `connectionTimeout`). Node sets its own time-outs for the next request of a connection. Those of HTTP/2 belong to all streams of one,
 * and sockets of serverless adapters may have none.
 */
function outlastSilence({ req }: Pick<ServerResponse, 'req'>): void {
  const { socket, httpVersionMajor } = req;
  if (httpVersionMajor === 1 && socket.timeout !== undefined && socket.timeout > 0) socket.setTimeout(0);
}

/** Characters of a message that is remembered though nobody may need it any more. */
const LONGEST_REMEMBERED = 4096;

/** What was framed last. */
let framed: { readonly json: string; readonly id: string | undefined; readonly frame: string } | undefined;

/**
 * Frames a message as an event. A notification goes to many streams, one after the other and mostly under the same id. So what was framed
 * last is remembered: its parts are joined once, and not for each stream.
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

/** Bytes that may wait for a reader without being counted. */
const UNCOUNTED_BYTES = 65_536;

/** Counts the messages that wait for a slow reader as memory of the stream's opener. */
export class Backlog {
  #hold: MemoryHold | undefined;

  constructor(
    private readonly memory: MemoryBudget,
    private readonly response: ServerResponse,
  ) {}

  /** Tells whether more waits than goes without saying. */
  get isLong(): boolean {
    return countQueuedBytes(this.response) > UNCOUNTED_BYTES;
  }

  /** Counts what waits now, and tells whether there was room for it. */
  count(): boolean {
    if (this.#hold === undefined && !this.isLong) return true;
    this.#hold ??= this.#begin();
    const queued = countQueuedBytes(this.response);
    const hasRoom = this.#hold.tryAdd(queued - this.#hold.bytes);
    if (!hasRoom) this.#hold.resize(queued);
    return hasRoom;
  }

  #begin(): MemoryHold {
    const { response } = this;
    const hold = this.memory.hold(HttpExchange.find(response.req)?.caller ?? {}, 0, true);
    response.on('drain', () => hold.resize(countQueuedBytes(response)));
    onClientGone(response, () => hold.release());
    return hold;
  }
}

/** What writes to a response, or throws because its answer has begun. */
const WRITERS = [
  'setHeader',
  'setHeaders',
  'appendHeader',
  'removeHeader',
  'writeHead',
  'flushHeaders',
  'end',
];

/** The same for all responses: functions of its own would be kept for each stream as long as it is open. */
const CLOSED: Readonly<Record<string, unknown>> = {
  write: () => true,
  ...Object.fromEntries(WRITERS.map((name) => [name, doNothing])),
};

function doNothing(this: ServerResponse): ServerResponse {
  return this;
}

/**
 * Closes a response. Interceptors and filters of the application can still use the response while the answer streams. A
 * header that they set would throw, and the answer to that error would end the stream.
 */
export function ignoreFurtherWrites(response: ServerResponse): void {
  Object.assign(response, CLOSED);
}

/** Closes a response to everybody but itself. */
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
