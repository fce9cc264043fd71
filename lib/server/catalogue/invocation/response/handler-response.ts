import { EventEmitter } from 'node:events';
import type { HeaderValue } from '../../../context/answer-head.interface.js';
import type { McpContext } from '../../../context/mcp-context.interface.js';
import { CallHeaders } from './call-headers.js';

/** What somebody sent instead of the handler. */
export interface SentAnswer {
  readonly status: number;
  readonly body: unknown;
}

type HeaderMap = Readonly<Record<string, HeaderValue | undefined>>;

/**
 * Stands in for the HTTP response in the call of a handler, in the shape of both adapters: Express's response and Fastify's
 * reply. The answer itself is the protocol's: headers reach it, and what is sent becomes what the call is answered with.
 */
export class HandlerResponse extends EventEmitter {
  statusCode = 200;
  statusMessage = '';
  /** What middlewares and interceptors leave for one another (Express). */
  readonly locals: Record<string, unknown> = {};
  readonly #headers: CallHeaders;
  readonly #startedAt = performance.now();
  #written = '';
  #sent: SentAnswer | undefined;
  #passedOn: { readonly error: unknown } | undefined;
  #isOver = false;

  constructor(
    { http, signal }: McpContext,
    /** The HTTP request that the call came by. */
    readonly request: unknown,
  ) {
    super();
    this.#headers = new CallHeaders(http);
    signal.addEventListener('abort', () => this.#close(), { once: true });
  }

  /** What was sent, if anything. */
  get sentAnswer(): SentAnswer | undefined {
    return this.#sent;
  }

  /** The error that was given to `next()`, if one was. */
  get passedOn(): { readonly error: unknown } | undefined {
    return this.#passedOn;
  }

  /** Ends what listens for the end of the response. */
  finish(): void {
    if (this.#isOver) return;
    this.emit('finish');
    this.#close();
  }

  /** Stands in for Express's `next`: what is given to it is what went wrong. */
  readonly next = (error?: unknown): void => {
    if (error !== undefined && error !== null && error !== 'route' && error !== 'router') {
      this.#passedOn ??= { error };
    }
  };

  get req(): unknown {
    return this.request;
  }

  /** Node's response behind Fastify's reply. */
  get raw(): this {
    return this;
  }

  get headersSent(): boolean {
    return this.#sent !== undefined;
  }

  get sent(): boolean {
    return this.headersSent;
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

  get elapsedTime(): number {
    return performance.now() - this.#startedAt;
  }

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  code(code: number): this {
    return this.status(code);
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#headers.set(name, value);
    return this;
  }

  setHeaders(headers: Iterable<readonly [string, HeaderValue]>): this {
    for (const [name, value] of headers) this.#headers.set(name, value);
    return this;
  }

  set(name: string | HeaderMap, value?: HeaderValue): this {
    if (typeof name === 'string') return value === undefined ? this : this.setHeader(name, value);
    for (const [key, member] of Object.entries(name)) this.set(key, member);
    return this;
  }

  header(name: string | HeaderMap, value?: HeaderValue): this {
    return this.set(name, value);
  }

  headers(headers: HeaderMap): this {
    return this.set(headers);
  }

  append(name: string, value: HeaderValue): this {
    this.#headers.append(name, value);
    return this;
  }

  appendHeader(name: string, value: HeaderValue): this {
    return this.append(name, value);
  }

  vary(name: string | readonly string[]): this {
    return this.append('Vary', [name].flat().join(', '));
  }

  type(value: string): this {
    return this.setHeader('Content-Type', value);
  }

  contentType(value: string): this {
    return this.type(value);
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.#headers.get(name);
  }

  get(name: string): HeaderValue | undefined {
    return this.getHeader(name);
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
    this.status(status);
    const headers = rest.find((given): given is HeaderMap => typeof given === 'object' && given !== null);
    return headers === undefined ? this : this.set(headers);
  }

  write(chunk: unknown): boolean {
    this.#written += String(chunk);
    return true;
  }

  json(body?: unknown): this {
    return this.send(body);
  }

  jsonp(body?: unknown): this {
    return this.send(body);
  }

  send(body?: unknown): this {
    this.#sent ??= { status: this.statusCode, body: body ?? (this.#written || undefined) };
    return this;
  }

  end(chunk?: unknown): this {
    if (typeof chunk === 'string') this.write(chunk);
    else if (chunk instanceof Uint8Array) this.write(Buffer.from(chunk));
    return this.send();
  }

  sendStatus(status: number): this {
    return this.status(status).send();
  }

  redirect(...[first, second]: readonly (string | number | undefined)[]): this {
    const [url, status = 302] = typeof first === 'number' ? [second, first] : [first, second];
    return this.status(Number(status)).location(String(url)).send();
  }

  location(url: string): this {
    return this.setHeader('Location', url);
  }

  callNotFound(): this {
    return this.sendStatus(404);
  }

  serializer(): this {
    return this;
  }

  hijack(): this {
    return this;
  }

  flushHeaders(): void {}

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.emit('close');
  }
}
