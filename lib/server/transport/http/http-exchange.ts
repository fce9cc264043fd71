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
import type { MemoryReservation } from '../../memory/memory-budget.js';
import type { MemoryCaller } from '../../memory/memory-account.js';
import type { Session } from '../../sessions/session.js';
import { type ResponseMessage, preventCaching, writeLimitHeaders } from './replies/response-headers.js';
import { destroyIfUnread, isClientGone } from './connections/client-progress.js';
import {
  awaitRest,
  type BodyLimits,
  type CountBytes,
  createBodyTooLateError,
  readBody,
  takeReceivedBody,
} from './bodies/request-body.js';
import type { Refusal } from '../../telemetry/refusal.js';

/** An adapter's request object, or Node's. */
export interface AdapterRequest extends AuthenticatedRequest {
  readonly raw?: IncomingMessage;
}

/** An adapter's response object, or Node's. */
export interface AdapterResponse extends ChallengeableResponse {
  readonly raw?: ServerResponse;
  /** Fastify: stops the adapter from sending a response. */
  hijack?(): void;
  /** Fastify: the headers that plugins have set so far. */
  getHeaders?(): Record<string, number | string | string[] | undefined>;
}

/** Returns Node's response, with the headers that the adapter's plugins have set. */
export function getRawResponse(response: AdapterResponse): ServerResponse {
  if (response.raw === undefined) return response as ServerResponse;
  const { raw } = response;
  for (const [name, value] of Object.entries(response.getHeaders?.() ?? {})) {
    if (value !== undefined && !raw.headersSent) raw.setHeader(name, value);
  }
  return raw;
}

/** A request whose body was parsed earlier. */
interface ParsedRequest {
  readonly body?: unknown;
}

/** One HTTP request and its response, independent of the adapter. */
export class HttpExchange implements HttpView, AuthStateCarrier {
  /** The guard's result. */
  authState: AuthState | undefined;
  /** The session that the request opened; its id is a response header. */
  openedSession: string | undefined;
  /** The request's session, if it was found before the body was read. */
  noticedSession: Session | undefined;
  isStream = false;
  /**
   * Called if the request is rejected. Its promise may replace the response. Next hop: `RefusalRecorder.record`, which
   * `HttpEdge.admit` assigns.
   */
  onRefused: ((refusal: Refusal) => Promise<McpError | undefined> | undefined) | undefined;
  /** Start time by `performance.now()`, if audits need it. */
  startedAt: number | undefined;
  /** Whether a refusal waits for its audit record. */
  isRefusing = false;
  /** Whether the transport handles it. */
  isServed = false;
  /** The size of the body, once it has been read. */
  bodyBytes: number | undefined;
  /** The memory that counts toward its caller while the request runs. */
  memory: MemoryReservation | undefined;
  /** Cached, because Node's getter slows down with the number of request shapes. */
  #headers: IncomingHttpHeaders;
  /** The adapter's request. On Express it is Node's until the controller runs. */
  #adapterRequest: object | undefined;
  #entity: EntityHeaders | undefined;
  #streamListener: (() => void) | undefined;
  /** Whether the body has been read, or its end is awaited. */
  #hasEnd = false;

  constructor(
    readonly raw: IncomingMessage,
    readonly response: ServerResponse,
    /** Milliseconds for the body to arrive and for the response to be read. */
    private readonly transferTimeoutMs: number,
    adapterRequest?: object,
  ) {
    this.#headers = raw.headers;
    this.#adapterRequest = adapterRequest;
  }

  /** Finds the exchange that {@link attach} stored on a request. */
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

  /** The caller, or `undefined` if the request needs no token or carries none. */
  get authentication(): Authentication | undefined {
    return this.authState?.authentication;
  }

  /** The caller toward which memory and limits count. */
  get caller(): MemoryCaller {
    const identity = this.authentication?.identity;
    return identity === undefined ? { address: this.address } : { identity };
  }

  /** The address toward which limits count, or `undefined` if callers may share it. */
  get address(): string | undefined {
    return findCallerAddress(this.#adapterRequest ?? this.raw);
  }

  /** Whether anything has started a response. */
  get isAnswered(): boolean {
    return this.isRefusing || this.response.headersSent || this.response.writableEnded;
  }

  /** Whether a response can be started and reach the client. */
  get isOpen(): boolean {
    return !this.isAnswered && !isClientGone(this.response);
  }

  /**
   * Stores the exchange on the request for the controller, and hides the body from parsers in between, which check
   * these headers. The body is read only after the token has been validated.
   */
  attach(): void {
    attachCarrier(this.raw, this);
    this.#entity = takeEntity(this.headers);
  }

  /** Restores the headers for the controller, including changes that were made to them. */
  enter(adapterRequest: object): void {
    this.#adapterRequest = adapterRequest;
    this.#headers = this.raw.headers;
    if (this.#entity !== undefined) restoreEntity(this.headers, this.#entity);
    this.#entity = undefined;
  }

  /** Calls a function when an event stream starts. */
  onStream(listener: () => void): void {
    this.#streamListener = listener;
  }

  /** Returns the response for an event stream. */
  beginStream(): ServerResponse {
    if (this.openedSession !== undefined) this.response.setHeader('Mcp-Session-Id', this.openedSession);
    // An unread body would hide that the client disconnects.
    if (!this.raw.complete) this.raw.resume();
    this.isStream = true;
    const listener = this.#streamListener;
    // The request retains the exchange for as long as the stream is open.
    this.#streamListener = undefined;
    listener?.();
    return this.response;
  }

  /** Returns the body if it has arrived completely and has not been read. */
  takeBody(limit: number): Buffer | undefined {
    const body = takeReceivedBody(this.raw, Number(this.headers['content-length']), limit);
    // Node's parser reports the end later, usually after the response.
    if (body !== undefined) this.#hasEnd = true;
    this.bodyBytes = body?.length;
    return body;
  }

  /**
   * Reads the body as JSON.
   *
   * @param count called with bytes as they arrive. Its errors are thrown
   * @throws {McpError} -32700, or -32600 with HTTP status 413. A late body causes a 408 response
   * @throws {RequestAbortedError} if the client disconnects
   */
  async readJson(limits: BodyLimits, count?: CountBytes): Promise<MeasuredJson> {
    // Middleware stores it on Node's request, adapter parsers on the adapter's.
    const body = (this.raw as ParsedRequest).body ?? (this.request as ParsedRequest).body;
    if (!this.raw.readableEnded || body === undefined) {
      this.#awaitRest();
      const received = await readBody(this.raw, limits.bytes, count);
      this.bodyBytes = received.length;
      return parseMeasuredJson(received, limits);
    }
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    return isText ? parseMeasuredJson(body, limits) : measureParsedJson(body, limits);
  }

  /** Sends one JSON message. */
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
    // Headers set earlier would be merged with these one by one.
    if (this.openedSession !== undefined) headers['Mcp-Session-Id'] = this.openedSession;
    this.response.writeHead(status, headers);
    if (rest !== undefined) this.response.write(head);
    this.response.end(rest ?? head);
    this.#awaitRest();
    destroyIfUnread(this.response, this.transferTimeoutMs);
  }

  /**
   * Sends a JSON-RPC error.
   *
   * @param message the rejected message, if it was read
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
   * Sends a JSON-RPC error while the body is still arriving, and does not wait for the rest. After the response, Node
   * no longer reports the connection's state to the request.
   */
  refuseRest(error: McpError): void {
    this.response.shouldKeepAlive = false;
    this.response.once('close', () => this.raw.destroy());
    this.refuse(error);
  }

  /** Sets the authentication challenge (RFC 9110 §11.6.1). */
  challenge(wwwAuthenticate: string): void {
    if (!this.isAnswered) this.response.setHeader('WWW-Authenticate', wwwAuthenticate);
  }

  /** Sends a response without a body. */
  sendEmpty(status: number): void {
    if (this.isAnswered) return;
    // A 204 must not have a length (RFC 9110 §8.6).
    this.response.writeHead(status, status === 204 ? {} : { 'Content-Length': 0 });
    this.response.end();
  }

  #awaitRest(): void {
    if (this.#hasEnd || this.raw.complete) return;
    this.#hasEnd = true;
    awaitRest(this.raw, this.transferTimeoutMs, () => this.#closeUpload());
  }

  #closeUpload(): void {
    if (this.isAnswered) this.raw.destroy();
    else this.refuseRest(createBodyTooLateError());
  }
}

/** Headers that describe the body. */
type EntityHeaders = Pick<IncomingHttpHeaders, 'content-type' | 'content-length' | 'transfer-encoding'>;

/** Hides these headers and returns them. Unsent headers are not added, because they would be listed. */
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

/** Restores them. */
function restoreEntity(headers: IncomingHttpHeaders, hidden: EntityHeaders): void {
  if (hidden['content-type'] !== undefined) headers['content-type'] = hidden['content-type'];
  if (hidden['content-length'] !== undefined) headers['content-length'] = hidden['content-length'];
  if (hidden['transfer-encoding'] !== undefined) headers['transfer-encoding'] = hidden['transfer-encoding'];
}

/** Facts about a refusal that its response omits. */
export type RefusalDetails = Omit<Refusal, 'http' | 'error' | 'status'>;

/** Records a refusal and sends it. */
export function sendRefusal(exchange: HttpExchange, details: RefusalDetails, answer: OutboundError): void {
  if (exchange.isAnswered) return;
  const { httpStatus: status, error } = answer;
  const answerBytes = exchange.startedAt === undefined ? undefined : Buffer.byteLength(answer.json);
  const stored = noteRefusal(exchange, { ...details, status, error, answerBytes });
  if (stored === undefined) return exchange.sendMessage(status, answer);
  exchange.isRefusing = true;
  void stored.then((failure) => sendKept(exchange, answer, failure));
}

/** Records that a request, or part of it, is rejected. */
export function noteRefusal(
  exchange: HttpExchange,
  refusal: Omit<Refusal, 'http'>,
): Promise<McpError | undefined> | undefined {
  const { authentication, startedAt, bodyBytes: requestBytes } = exchange;
  return exchange.onRefused?.({ authentication, startedAt, requestBytes, ...refusal, http: exchange });
}

function sendKept(exchange: HttpExchange, answer: OutboundError, failure: McpError | undefined): void {
  exchange.isRefusing = false;
  if (failure === undefined) return exchange.sendMessage(answer.httpStatus, answer);
  const { httpStatus = 500 } = failure;
  if (!exchange.isAnswered) exchange.response.removeHeader('WWW-Authenticate');
  exchange.sendMessage(httpStatus, new OutboundError(answer.id, failure.toJSON(), httpStatus));
}
