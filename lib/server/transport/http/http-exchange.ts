import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ChallengeableResponse } from '../../auth/auth-refusal.js';
import type { AuthenticatedRequest } from '../../auth/mcp-auth.guard.js';
import type { RequestId } from '../../../core/protocol/json-rpc.js';
import type { McpError } from '../../../core/protocol/mcp.error.js';
import { OutboundError } from '../../../core/protocol/outbound-message.js';
import {
  type MeasuredJson,
  measureParsedJson,
  parseMeasuredJson,
} from '../../../core/protocol/measured-json.js';
import { attachCarrier, type AuthState, type AuthStateCarrier, findCarrier } from '../../auth/auth-state.js';
import type { Authentication } from '../../context/authentication.js';
import type { HttpView } from '../../context/mcp-context.interface.js';
import { findCallerAddress } from '../../context/caller-identity.js';
import type { MemoryHold } from '../../memory/memory-budget.js';
import type { MemoryCaller } from '../../memory/memory-account.js';
import type { Session } from '../../sessions/session.js';
import { type ResponseMessage, preventCaching, writeLimitHeaders } from './replies/response-headers.js';
import { destroyIfUnread, isClientGone } from './connections/client-progress.js';
import {
  awaitRest,
  type BodyBounds,
  type CountBytes,
  createBodyTooLateError,
  readBody,
  takeReceivedBody,
} from './bodies/request-body.js';
import type { HttpRequest } from '../../telemetry/network.js';
import type { Refusal } from '../../telemetry/refusal.js';

/** The request object of an adapter, or Node's own. */
export interface AdapterRequest extends AuthenticatedRequest {
  readonly raw?: IncomingMessage;
}

/** The response object of an adapter, or Node's own. */
export interface AdapterResponse extends ChallengeableResponse {
  readonly raw?: ServerResponse;
  /** Fastify: tells the adapter that somebody else answers. */
  hijack?(): void;
  /** Fastify: the headers that plugins have set so far. */
  getHeaders?(): Record<string, number | string | string[] | undefined>;
}

/** Returns Node's response; what an adapter's plugins put on their own is carried over. */
export function getRawResponse(response: AdapterResponse): ServerResponse {
  if (response.raw === undefined) return response as ServerResponse;
  const { raw } = response;
  for (const [name, value] of Object.entries(response.getHeaders?.() ?? {})) {
    if (value !== undefined && !raw.headersSent) raw.setHeader(name, value);
  }
  return raw;
}

/** A request with the parsed body that an earlier reader left on it. */
interface ParsedRequest {
  readonly body?: unknown;
}

/** One HTTP request and its response, the same on every adapter. */
export class HttpExchange implements HttpView, AuthStateCarrier, RefusableExchange {
  /** What the guard found out about the request. */
  authState: AuthState | undefined;
  /** The id of the session that the request opened. The answer carries it to the client. */
  openedSession: string | undefined;
  /** The session that the request is for, as far as it was found before the body was read. */
  noticedSession: Session | undefined;
  isStream = false;
  onRefused: RefusableExchange['onRefused'];
  /** When it came, by the clock of `performance`, if somebody wants to know. */
  startedAt: number | undefined;
  /** Whether a refusal is on its way, which waits until a record of it is kept. */
  isRefusing = false;
  /** Whether the transport answers it, or has. */
  isServed = false;
  /** Bytes of the body, once it is read. */
  bodyBytes: number | undefined;
  /** What the request takes of the memory that its caller may have, while it runs. */
  memory: MemoryHold | undefined;
  /** Kept, since Node's getter finds them the slower the more shapes requests have where they are asked for theirs. */
  #headers: IncomingHttpHeaders;
  /** The adapter's own request: on Express it is Node's, as long as the controller is not reached. */
  #adapterRequest: object | undefined;
  #entity: EntityHeaders | undefined;
  #streamListener: (() => void) | undefined;
  /** Whether the end of the body needs no more work, because the body was read completely or is awaited. */
  #hasEnd = false;

  constructor(
    readonly raw: IncomingMessage,
    readonly response: ServerResponse,
    /** Milliseconds that the body may take to come, and the answer to be taken. */
    private readonly transferTimeoutMs: number,
    adapterRequest?: object,
  ) {
    this.#headers = raw.headers;
    this.#adapterRequest = adapterRequest;
  }

  /** Finds the exchange that {@link attach} left on a request. */
  static find(raw: IncomingMessage): HttpExchange | undefined {
    const carrier = findCarrier(raw);
    return carrier instanceof HttpExchange ? carrier : undefined;
  }

  get headers(): IncomingHttpHeaders {
    return this.#headers;
  }

  get request(): unknown {
    return this.#adapterRequest ?? this.raw;
  }

  /** Returns the caller of the request, or `undefined` if no token is asked for, or it may come without. */
  get authentication(): Authentication | undefined {
    return this.authState?.authentication;
  }

  /** Who has what the request makes the server keep. */
  get caller(): MemoryCaller {
    const identity = this.authentication?.identity;
    return identity === undefined ? { address: this.address } : { identity };
  }

  /** The address that the request counts for. Returns `undefined` if everybody may have it. */
  get address(): string | undefined {
    return findCallerAddress(this.#adapterRequest ?? this.raw);
  }

  /** Tells whether an answer has begun, by whomever. */
  get isAnswered(): boolean {
    return this.isRefusing || this.response.headersSent || this.response.writableEnded;
  }

  /** Tells whether an answer can begin and reach the client. */
  get isOpen(): boolean {
    return !this.isAnswered && !isClientGone(this.response);
  }

  /**
   * Leaves the exchange on the request for the controller, and hides the body from parsers on the way there. They go by these
   * headers, and the body is read only after the token has been checked.
   */
  attach(): void {
    attachCarrier(this.raw, this);
    this.#entity = takeEntity(this.headers);
  }

  /** Takes the exchange over from the adapter: the headers are what the client sent again, or what somebody made of it. */
  enter(adapterRequest: object): void {
    this.#adapterRequest = adapterRequest;
    this.#headers = this.raw.headers;
    if (this.#entity !== undefined) restoreEntity(this.headers, this.#entity);
    this.#entity = undefined;
  }

  /** Calls a function when an event stream begins, however long it will last. */
  onStream(listener: () => void): void {
    this.#streamListener = listener;
  }

  /** Returns the response for an event stream. */
  beginStream(): ServerResponse {
    if (this.openedSession !== undefined) this.response.setHeader('Mcp-Session-Id', this.openedSession);
    // Behind a body that nobody reads it would not be heard that the client leaves.
    if (!this.raw.complete) this.raw.resume();
    this.isStream = true;
    const listener = this.#streamListener;
    // The request keeps the exchange as long as the stream is open.
    this.#streamListener = undefined;
    listener?.();
    return this.response;
  }

  /** Takes the body if all of it is here and nobody has touched it. */
  takeBody(limit: number): Buffer | undefined {
    const body = takeReceivedBody(this.raw, Number(this.headers['content-length']), limit);
    // Node's parser tells so only later, most times after the answer.
    if (body !== undefined) this.#hasEnd = true;
    this.bodyBytes = body?.length;
    return body;
  }

  /**
   * Reads the body as JSON.
   *
   * @param count is called with the bytes as they arrive. Its errors are thrown
   * @throws {McpError} -32700, or -32600 with HTTP status 413; one that does not come in time is answered with 408
   * @throws {RequestAbortedError} if the client goes away
   */
  async readJson(bounds: BodyBounds, count?: CountBytes): Promise<MeasuredJson> {
    // A middleware leaves it on Node's request, a parser of the adapter on the adapter's.
    const body = (this.raw as ParsedRequest).body ?? (this.request as ParsedRequest).body;
    if (!this.raw.readableEnded || body === undefined) {
      this.#awaitRest();
      const received = await readBody(this.raw, bounds.bytes, count);
      this.bodyBytes = received.length;
      return parseMeasuredJson(received, bounds);
    }
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    return isText ? parseMeasuredJson(body, bounds) : measureParsedJson(body, bounds);
  }

  /** Answers with one JSON message. */
  sendMessage(status: number, message: ResponseMessage): void {
    if (this.isAnswered) return;
    writeLimitHeaders(this.response, status, message);
    preventCaching(this.response, this.raw.method);
    if (message.wwwAuthenticate !== undefined) this.challenge(message.wwwAuthenticate);
    const [head, rest] = message.pieces ?? [message.json];
    const headers: OutgoingHttpHeaders = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(head) + (rest?.length ?? 0),
    };
    // Headers that are set before are put together with these one by one.
    if (this.openedSession !== undefined) headers['Mcp-Session-Id'] = this.openedSession;
    this.response.writeHead(status, headers);
    if (rest !== undefined) this.response.write(head);
    this.response.end(rest ?? head);
    this.#awaitRest();
    destroyIfUnread(this.response, this.transferTimeoutMs);
  }

  /**
   * Answers with a JSON-RPC error.
   *
   * @param message what is refused, if it was read
   */
  refuse(error: McpError, id?: RequestId, message?: unknown, incident?: string): void {
    const { httpStatus: status = 400, retryAfterSeconds } = error;
    sendRefusal(
      this,
      { message, incident },
      new OutboundError(id, error.toJSON(), status, retryAfterSeconds),
    );
  }

  /**
   * Answers with a JSON-RPC error while the body is still on its way, and does not wait for the rest. Once a request is
   * answered, Node tells it nothing more about its connection.
   */
  refuseRest(error: McpError): void {
    this.response.shouldKeepAlive = false;
    this.response.once('close', () => this.raw.destroy());
    this.refuse(error);
  }

  /** Names what a caller must bring (RFC 9110 §11.6.1). */
  challenge(wwwAuthenticate: string): void {
    if (!this.isAnswered) this.response.setHeader('WWW-Authenticate', wwwAuthenticate);
  }

  /** Answers without a body. */
  sendEmpty(status: number): void {
    if (this.isAnswered) return;
    // A 204 must not have it (RFC 9110 §8.6).
    this.response.writeHead(status, status === 204 ? {} : { 'Content-Length': 0 });
    this.response.end();
  }

  #awaitRest(): void {
    if (this.#hasEnd || this.raw.complete) return;
    this.#hasEnd = true;
    awaitRest(this.raw, this.transferTimeoutMs, () => this.#giveUp());
  }

  #giveUp(): void {
    if (this.isAnswered) this.raw.destroy();
    else this.refuseRest(createBodyTooLateError());
  }
}

/** Headers that say that a request has a body, and of what kind. */
type EntityHeaders = Pick<IncomingHttpHeaders, 'content-type' | 'content-length' | 'transfer-encoding'>;

/** Hides them from parsers, and gives them. A header that was not sent is not added either: it would be listed from then on. */
function takeEntity(headers: IncomingHttpHeaders): EntityHeaders {
  const taken = {
    'content-type': headers['content-type'],
    'content-length': headers['content-length'],
    'transfer-encoding': headers['transfer-encoding'],
  };
  if (headers['content-type'] !== undefined) headers['content-type'] = undefined;
  if (headers['content-length'] !== undefined) headers['content-length'] = undefined;
  if (headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = undefined;
  return taken;
}

/** Shows them again. */
function restoreEntity(headers: IncomingHttpHeaders, hidden: EntityHeaders): void {
  if (hidden['content-type'] !== undefined) headers['content-type'] = hidden['content-type'];
  if (hidden['content-length'] !== undefined) headers['content-length'] = hidden['content-length'];
  if (hidden['transfer-encoding'] !== undefined) headers['transfer-encoding'] = hidden['transfer-encoding'];
}

/** A request that may be refused. */
export interface RefusableExchange extends HttpRequest {
  readonly authentication?: Authentication | undefined;
  readonly startedAt?: number | undefined;
  readonly bodyBytes?: number | undefined;
  readonly isAnswered: boolean;
  readonly response: { removeHeader(name: string): void };
  isRefusing: boolean;
  /** Is called if the request is refused. Its promise may return another answer to send instead. */
  onRefused: ((refusal: Refusal) => Promise<McpError | undefined> | undefined) | undefined;
  sendMessage(status: number, message: ResponseMessage): void;
}

/** Facts about a refusal that its answer does not show. */
export type RefusalDetails = Omit<Refusal, 'http' | 'error' | 'status'>;

/** Answers with a refusal, after it was recorded. */
export function sendRefusal(
  exchange: RefusableExchange,
  details: RefusalDetails,
  answer: OutboundError,
): void {
  if (exchange.isAnswered) return;
  const { httpStatus: status, error } = answer;
  const answerBytes = exchange.startedAt === undefined ? undefined : Buffer.byteLength(answer.json);
  const kept = noteRefusal(exchange, { ...details, status, error, answerBytes });
  if (kept === undefined) return exchange.sendMessage(status, answer);
  exchange.isRefusing = true;
  void kept.then((failure) => sendKept(exchange, answer, failure));
}

/** Tells the recorder that a request, or a part of it, is refused. */
export function noteRefusal(
  exchange: RefusableExchange,
  refusal: Omit<Refusal, 'http'>,
): Promise<McpError | undefined> | undefined {
  const { authentication, startedAt, bodyBytes: requestBytes } = exchange;
  return exchange.onRefused?.({ authentication, startedAt, requestBytes, ...refusal, http: exchange });
}

function sendKept(exchange: RefusableExchange, answer: OutboundError, failure: McpError | undefined): void {
  exchange.isRefusing = false;
  if (failure === undefined) return exchange.sendMessage(answer.httpStatus, answer);
  const { httpStatus = 500 } = failure;
  if (!exchange.isAnswered) exchange.response.removeHeader('WWW-Authenticate');
  exchange.sendMessage(httpStatus, new OutboundError(answer.id, failure.toJSON(), httpStatus));
}
