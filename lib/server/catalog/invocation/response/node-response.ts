import { EventEmitter } from 'node:events';
import { findResponseHead, type HeaderValue } from '../../../context/response-head.interface.js';
import type { HttpView, McpContext } from '../../../context/mcp-context.interface.js';

/** Headers that the protocol and its transport set: body, connection, session, authorization, CORS and caching. */
const OF_THE_PROTOCOL =
  /^(?:content-(?:type|length|encoding|range)|transfer-encoding|connection|keep-alive|trailer|te|upgrade|date|location|cache-control|expires|pragma|age|x-accel-buffering|www-authenticate|mcp-.*|access-control-.*)$/;

/**
 * The headers that one call sets. They reach the HTTP response if it has not started yet. Protocol headers are only
 * stored here, for code that reads them.
 */
class CallHeaders {
  readonly #own = new Map<string, HeaderValue>();

  constructor(private readonly http: HttpView | undefined) {}

  get(name: string): HeaderValue | undefined {
    const key = name.toLowerCase();
    return this.#own.get(key) ?? findResponseHead(this.http)?.response.getHeader(key);
  }

  getAll(): Record<string, HeaderValue> {
    return Object.fromEntries(this.#own);
  }

  set(name: string, value: HeaderValue): void {
    const key = name.toLowerCase();
    // Throws on an invalid header, which is then not stored.
    if (!OF_THE_PROTOCOL.test(key))
      findResponseHead(this.http)?.response.setHeader(name, this.#complete(key, value));
    this.#own.set(key, value);
  }

  append(name: string, value: HeaderValue): void {
    const present = this.get(name);
    this.set(name, present === undefined ? value : [present, value].flat().map(String));
  }

  remove(name: string): void {
    const key = name.toLowerCase();
    this.#own.delete(key);
    const isOurs = OF_THE_PROTOCOL.test(key) || key === 'vary';
    if (!isOurs) findResponseHead(this.http)?.response.removeHeader(key);
  }

  /** Existing values of `Vary` stay. Otherwise, caches would serve one page's response to another. */
  #complete(key: string, value: HeaderValue): HeaderValue {
    const present = key === 'vary' ? findResponseHead(this.http)?.response.getHeader(key) : undefined;
    if (present === undefined) return value;
    const names = [present, value].flat().flatMap((list) => String(list).split(/\s*,\s*/));
    return [...new Map(names.map((one) => [one.toLowerCase(), one])).values()].join(', ');
  }
}

/** A response sent instead of the handler's result. */
export interface SentResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Headers, keyed by name. */
export type HeaderMap = Readonly<Record<string, HeaderValue | undefined>>;

/** Stands in for Node's response in a handler call. */
export class NodeResponse extends EventEmitter {
  statusCode = 200;
  statusMessage = '';
  /** Nothing is streamed: everything written becomes part of the sent body. */
  #written = '';
  #sent: SentResponse | undefined;
  #isOver = false;
  readonly #headers: CallHeaders;

  constructor(
    { http, signal }: McpContext,
    /** The call's HTTP request. */
    readonly req: unknown,
  ) {
    super();
    this.#headers = new CallHeaders(http);
    signal.addEventListener('abort', () => this.#close(), { once: true });
  }

  /** The sent body, if there is one. Only the first counts. */
  get sentResponse(): SentResponse | undefined {
    return this.#sent;
  }

  /** Notifies listeners that the call has ended. */
  finish(): void {
    if (this.#isOver) return;
    this.emit('finish');
    this.#close();
  }

  get headersSent(): boolean {
    return this.#sent !== undefined;
  }

  get finished(): boolean {
    return this.headersSent;
  }

  get writableEnded(): boolean {
    return this.headersSent;
  }

  get writableFinished(): boolean {
    return this.#isOver;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#headers.set(name, value);
    return this;
  }

  setHeaders(headers: Iterable<readonly [string, HeaderValue]>): this {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  }

  appendHeader(name: string, value: HeaderValue): this {
    this.#headers.append(name, value);
    return this;
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.#headers.get(name);
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined;
  }

  getHeaders(): Record<string, HeaderValue> {
    return this.#headers.getAll();
  }

  getHeaderNames(): string[] {
    return Object.keys(this.getHeaders());
  }

  removeHeader(name: string): this {
    this.#headers.remove(name);
    return this;
  }

  writeHead(status: number, ...rest: readonly unknown[]): this {
    this.statusCode = status;
    const headers = rest.find((given): given is HeaderMap => typeof given === 'object' && given !== null);
    for (const [name, value] of Object.entries(headers ?? {})) {
      if (value !== undefined) this.setHeader(name, value);
    }
    return this;
  }

  flushHeaders(): void {}

  write(chunk: unknown): boolean {
    this.#written += chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);
    return true;
  }

  end(chunk?: unknown): this {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk);
    return this.sendBody(undefined);
  }

  /** Sends a body, or everything written so far. */
  protected sendBody(body: unknown): this {
    const written = this.#written === '' ? undefined : this.#written;
    this.#sent ??= { status: this.statusCode, body: body ?? written };
    return this;
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.emit('close');
  }
}
