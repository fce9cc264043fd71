import { computeMaxValues, type Excess, MAXIMUM_LEVELS, ValueMeter } from './value-meter.js';

/** What was too large: the whole body, one event in a stream, or all pages of a list. */
export type LimitedUnit = 'response' | 'event' | 'list';

/** The size of a server's response, and the limit that it exceeded. */
export interface LargeResponse {
  /** The request URL. */
  readonly url: string;
  readonly unit: LimitedUnit;
  /** The maximum number of bytes, after decoding. */
  readonly maxBytes: number;
  /** The unit of the excess. @default bytes */
  readonly excess?: Excess | undefined;
  /** How to increase the limit. @default none: the limit is fixed */
  readonly fix?: string | undefined;
}

/** A server-defined JSON-RPC error code. */
const SERVER_ERROR = -32_000;

/** Errors are nested only a few levels deep. */
const DEEPEST = 5;

/**
 * A server sent more than its client accepts: bytes after decoding, values to validate, or levels of nesting. The rest
 * is not read.
 */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
  readonly code = 'response_too_large';
  constructor(
    readonly response: LargeResponse,
    options?: ErrorOptions,
  ) {
    const { url, unit, fix } = response;
    const more = fix === undefined || response.excess === 'levels' ? '' : `: ${fix}`;
    super(`"${stripUrl(url)}" sent more than ${formatLimit(response)} in one ${unit}${more}`, options);
  }

  /** What the server did, phrased to follow its name. */
  get reason(): string {
    return this.message.slice(this.message.indexOf('sent more than '));
  }

  /**
   * Finds such an error in an error thrown by the official client: the error itself, its cause, or the response to a
   * request.
   */
  static find(error: unknown): ResponseTooLargeError | undefined {
    let one = error;
    for (let depth = 0; depth < DEEPEST && typeof one === 'object' && one !== null; depth += 1) {
      if (one instanceof ResponseTooLargeError) return one;
      const { data, cause } = one as { readonly data?: unknown; readonly cause?: unknown };
      if (isFormatted(data)) return new ResponseTooLargeError(data.response, { cause: one });
      one = cause;
    }
    return undefined;
  }

  /** Formats the error as the response to a request. */
  toJsonRpc() {
    const { code, message, response } = this;
    return { code: SERVER_ERROR, message, data: { code, response } };
  }
}

function formatLimit({ excess, maxBytes }: LargeResponse): string {
  if (excess === 'levels') return `${MAXIMUM_LEVELS} levels of nesting`;
  return excess === 'values' ? `${computeMaxValues(maxBytes)} weighted values` : `${maxBytes} bytes`;
}

function isFormatted(data: unknown): data is { readonly response: LargeResponse } {
  const { code, response } = Object(data) as { readonly code?: unknown; readonly response?: unknown };
  const { url, maxBytes } = Object(response) as Partial<LargeResponse>;
  return code === 'response_too_large' && typeof url === 'string' && typeof maxBytes === 'number';
}

/** A URL's user, password and query may be secret. */
function stripUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const LF = 10;
const CR = 13;

/**
 * Measures an event stream's events as its bytes arrive. An event ends at a blank line, with any kind of line ending.
 *
 * @see HTML Living Standard §9.2.6, "Interpreting an event stream"
 */
class EventMeter {
  #bytes = 0;
  #isLineEmpty = true;
  #isAfterCr = false;

  constructor(private readonly maxBytes: number) {}

  /** Counts the next bytes, and returns whether an event in them is too large. */
  isExceeded(chunk: Uint8Array): boolean {
    for (let index = 0; index < chunk.length; index += 1) {
      if (this.#isLongAfter(chunk[index] as number)) return true;
    }
    return false;
  }

  #isLongAfter(byte: number): boolean {
    const isRestOfLineEnd = byte === LF && this.#isAfterCr;
    this.#isAfterCr = byte === CR;
    if (isRestOfLineEnd) return false;
    const isLineEnd = byte === LF || byte === CR;
    this.#bytes = isLineEnd && this.#isLineEmpty ? 0 : this.#bytes + 1;
    this.#isLineEmpty = isLineEnd;
    return this.#bytes > this.maxBytes;
  }
}

/** The default maximum number of bytes that a client accepts in a response. */
export const MAXIMUM_RESPONSE_BYTES = 8 * 1024 * 1024;

/** How to increase the limit, for users of the option. */
export const MORE_BYTES = 'set "maxResponseBytes" to accept more';

/** The status carries most of a refusal's information, so a longer body is cut off. */
const MAXIMUM_ERROR_BYTES = 64 * 1024;

/** The limits on what a client accepts from its server. */
export interface ResponseLimit {
  /** The maximum number of bytes in a response, or in each event of a stream, after decoding. */
  readonly maxBytes: number;
  /** How to increase the limit. @default none: the limit is fixed */
  readonly fix?: string | undefined;
}

/** The request that belongs to a response. */
interface SentRequest {
  readonly url: string;
  readonly init?: RequestInit | undefined;
}

type Controller = TransformStreamDefaultController<Uint8Array>;

/** Forwards the chunks of a body within the limits. */
type Transform = (chunk: Uint8Array, controller: Controller) => void;

/**
 * Creates a `fetch` that limits the decoded bytes of responses, and the values and levels of their messages. An
 * oversized response is not read completely:
 *
 * - A refusal's body is cut.
 * - Any other body fails with a {@link ResponseTooLargeError}.
 * - In an event stream, the count restarts at each blank line. A stream with an oversized event ends with a JSON-RPC
 *   error for its request, because if the stream were simply cut, the client would wait or try to resume it.
 */
export function createLimitedFetch(send: typeof fetch, limit: ResponseLimit): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const request = { url: input instanceof Request ? input.url : String(input), init };
    return isEventStream(response)
      ? transformBody(response, limitEvents(limit, request))
      : limitResponse(response, limit, request);
  };
}

/** Limits a response that is read as a whole, even if it is an event stream. */
export function limitResponse(
  response: Response,
  limit: ResponseLimit,
  request: SentRequest = response,
): Response {
  if (!response.ok) return transformBody(response, cutBody());
  const isJson = /[/+]json\s*(?:;|$)/i.test(response.headers.get('content-type') ?? '');
  return transformBody(response, limitBody(limit, request, isJson));
}

/** The statuses of responses without a body (Fetch §2.2.3, "null body status"). */
export const BODILESS: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

function transformBody(response: Response, transform: Transform): Response {
  const { body, status, statusText, headers, url } = response;
  // Browsers report an empty body where there can be none.
  if (body === null || BODILESS.has(status)) return response;
  const limited = body.pipeThrough(new TransformStream({ transform }));
  return Object.defineProperty(new Response(limited, { status, statusText, headers }), 'url', { value: url });
}

function isEventStream({ ok, headers }: Response): boolean {
  return ok && /^\s*text\/event-stream\s*(?:;|$)/i.test(headers.get('content-type') ?? '');
}

function cutBody(): Transform {
  let left = MAXIMUM_ERROR_BYTES;
  return (chunk, controller) => {
    controller.enqueue(chunk.subarray(0, left));
    left -= chunk.byteLength;
    if (left <= 0) controller.terminate();
  };
}

function limitBody(limit: ResponseLimit, request: SentRequest, isJson: boolean): Transform {
  const values = isJson ? new ValueMeter(limit.maxBytes, 'body') : undefined;
  let left = limit.maxBytes;
  return (chunk, controller) => {
    left -= chunk.byteLength;
    if (left < 0) throw createError('response', limit, request);
    const excess = values?.findExcess(chunk);
    if (excess !== undefined) throw createError('response', limit, request, excess);
    controller.enqueue(chunk);
  };
}

function limitEvents(limit: ResponseLimit, request: SentRequest): Transform {
  const meter = new EventMeter(limit.maxBytes);
  const values = new ValueMeter(limit.maxBytes, 'events');
  let bytes = 0;
  let isReadByEvents: boolean | undefined;
  return (chunk, controller) => {
    bytes += chunk.byteLength;
    if (meter.isExceeded(chunk)) return endStream(createError('event', limit, request), request, controller);
    const excess = values.findExcess(chunk);
    if (excess !== undefined)
      return endStream(createError('event', limit, request, excess), request, controller);
    const isLong = bytes > limit.maxBytes;
    if (isLong && !(isReadByEvents ??= awaitsEvents(request))) throw createError('response', limit, request);
    controller.enqueue(chunk);
  };
}

/** Clients read a stream as a whole if it belongs to a notification or to the end of a session. */
function awaitsEvents({ init: { method = 'GET', body } = {} }: SentRequest): boolean {
  if (method === 'GET') return true;
  return method === 'POST' && (typeof body !== 'string' || findRequestId(body) !== undefined);
}

/** Ends the oversized event under a name that clients ignore, and sends the request's error response. */
function endStream(error: ResponseTooLargeError, { init }: SentRequest, controller: Controller): void {
  const id = typeof init?.body === 'string' ? findRequestId(init.body) : undefined;
  if (id === undefined) throw error;
  const message = { jsonrpc: '2.0', id, error: error.toJsonRpc() };
  const text = `\nevent: ${error.code}\n\ndata: ${JSON.stringify(message)}\n\n`;
  controller.enqueue(new TextEncoder().encode(text));
  controller.terminate();
}

function findRequestId(body: string): string | number | undefined {
  try {
    const { method, id } = JSON.parse(body) as { readonly method?: unknown; readonly id?: unknown };
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
  } catch {
    return undefined;
  }
}

function createError(
  unit: LimitedUnit,
  limit: ResponseLimit,
  { url }: SentRequest,
  excess?: Excess,
): ResponseTooLargeError {
  return new ResponseTooLargeError({ url, unit, excess, ...limit });
}

/** Measures the pages of one list, which together may have as many bytes as one response. */
export class ListMeter {
  #bytes = 0;

  /** @param url the server, for the error */
  constructor(
    private readonly url: string,
    private readonly limit: ResponseLimit,
  ) {}

  /** @throws {ResponseTooLargeError} if this page makes the list too large */
  add(page: unknown): void {
    this.#bytes += new TextEncoder().encode(JSON.stringify(page)).byteLength;
    if (this.#bytes > this.limit.maxBytes)
      throw new ResponseTooLargeError({ url: this.url, unit: 'list', ...this.limit });
  }
}

/**
 * The part of the official client that sends requests. The last of the other arguments contains the request's
 * options.
 */
interface Requester {
  request(request: PageRequest, ...others: unknown[]): Promise<unknown>;
}

interface PageRequest {
  readonly method: string;
  readonly params?: { readonly [name: string]: unknown } | undefined;
}

/** A stand-in for the options of requests that have none. */
const NO_OPTIONS = {};

/**
 * Limits all lists that a client reads in pages. Pages requested with the same options object belong together, as in
 * the official client.
 *
 * @param url the server, for the error
 */
export function limitLists(client: object, url: string, limit: ResponseLimit): void {
  const requester = client as Requester;
  const request = requester.request.bind(requester);
  const meters = new WeakMap<object, Map<string, ListMeter>>();
  requester.request = async (asked, ...others) => {
    const { method, params } = asked;
    const page = (await request(asked, ...others)) as { readonly nextCursor?: unknown } | undefined;
    const isFirst = params?.['cursor'] === undefined;
    if (isFirst && page?.nextCursor === undefined) return page;
    const options = Object(others.at(-1) ?? NO_OPTIONS) as object;
    const lists = meters.get(options) ?? new Map<string, ListMeter>();
    const meter = (isFirst ? undefined : lists.get(method)) ?? new ListMeter(url, limit);
    meters.set(options, lists.set(method, meter));
    meter.add(page);
    return page;
  };
}
