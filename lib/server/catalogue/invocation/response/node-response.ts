import { EventEmitter } from 'node:events';
import type { HeaderValue } from '../../../context/answer-head.interface.js';
import type { McpContext } from '../../../context/mcp-context.interface.js';
import { CallHeaders } from './call-headers.js';

/** What somebody sent instead of the handler. */
export interface SentAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Headers by their names. */
export type HeaderMap = Readonly<Record<string, HeaderValue | undefined>>;

/** Stands in for Node's response in the call of a handler. */
export class NodeResponse extends EventEmitter {
  statusCode = 200;
  statusMessage = '';
  /** Nothing is streamed: what is written is part of what is sent. */
  #written = '';
  #sent: SentAnswer | undefined;
  #isOver = false;
  readonly #headers: CallHeaders;

  constructor(
    { http, signal }: McpContext,
    /** The HTTP request that the call came by. */
    readonly req: unknown,
  ) {
    super();
    this.#headers = new CallHeaders(http);
    signal.addEventListener('abort', () => this.#close(), { once: true });
  }

  /** The sent body, if there is one. The first one counts. */
  get sentAnswer(): SentAnswer | undefined {
    return this.#sent;
  }

  /** Tells the listeners that the call is over. */
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

  /** Sends a body, or what was written. */
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
