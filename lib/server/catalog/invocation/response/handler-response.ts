import type { HeaderValue } from '../../../context/response-head.interface.js';
import type { McpContext } from '../../../context/mcp-context.interface.js';
import { NodeResponse, type HeaderMap, type SentResponse } from './node-response.js';
import { HttpException, HttpStatus } from '@nestjs/common';
import { isObject } from '../../../../core/protocol/json-rpc.js';
import { isExpected } from '../is-expected.js';

/** Thrown when application code calls a method of the response that a handler call cannot support. */
class UnsupportedResponseError extends Error {
  override readonly name = 'UnservedResponseError';

  constructor(method: string, fix: string) {
    super(`"response.${method}()" works only on routes, not in handler calls: ${fix}`);
  }
}

const COOKIE = 'append a "Set-Cookie" header, if the client stores cookies';
const FILE = 'return a resource, or content with the bytes in base64';
const PAGE = 'return the text';
const LATE = 'return the result of the call';

/**
 * Other response methods of Express, Fastify and their packages for cookies, files and pages, with what to do
 * instead.
 */
const UNSERVED = {
  cookie: COOKIE,
  setCookie: COOKIE,
  clearCookie: COOKIE,
  cookies: COOKIE,
  unsignCookie: COOKIE,
  sendFile: FILE,
  sendfile: FILE,
  download: FILE,
  render: PAGE,
  view: PAGE,
  viewAsync: PAGE,
  format: LATE,
  trailer: LATE,
  addTrailers: LATE,
  assignSocket: LATE,
  detachSocket: LATE,
} as const;

/** Adds the unsupported response methods to a class; each throws an error that names it. */
function addUnservedMethods(prototype: object): void {
  for (const [method, fix] of Object.entries(UNSERVED)) {
    const value = (): never => {
      throw new UnsupportedResponseError(method, fix);
    };
    if (Object.hasOwn(prototype, method)) continue;
    Object.defineProperty(prototype, method, { value, configurable: true, writable: true });
  }
}

/**
 * Freezes a class's methods, because all calls share them: a guard that mistook one for its request would set the
 * user on it.
 */
function freezeMethods(prototype: object): void {
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value === 'function' && value !== prototype.constructor) Object.freeze(value);
  }
}

/** The properties of Express's own response. */
interface ExpressExchange {
  readonly response?: { readonly locals?: Record<string, unknown> };
}

/**
 * Stands in for the HTTP response in a handler call, with the API of both Express's response and Fastify's reply. The
 * protocol writes the real response. Headers are passed on to it, and a sent body becomes the call's result.
 */
export class HandlerResponse extends NodeResponse {
  /** Values that middleware and interceptors pass to one another (Express). */
  readonly locals: Record<string, unknown>;
  readonly #startedAt = performance.now();
  #forwardedError: { readonly error: unknown } | undefined;

  constructor(context: McpContext, request: unknown) {
    super(context, request);
    this.locals = (context.http as ExpressExchange | undefined)?.response?.locals ?? {};
  }

  /** The error that was passed to `next()`, if any. */
  get forwardedError(): { readonly error: unknown } | undefined {
    return this.#forwardedError;
  }

  /** A stand-in for Express's `next`. Its argument is the error. */
  readonly next = (error?: unknown): void => {
    if (error === undefined || error === null || error === 'route' || error === 'router') return;
    this.#forwardedError ??= { error };
  };

  get request(): unknown {
    return this.req;
  }

  /** Node's response behind Fastify's reply. */
  get raw(): this {
    return this;
  }

  get sent(): boolean {
    return this.headersSent;
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

  get(name: string): HeaderValue | undefined {
    return this.getHeader(name);
  }

  append(name: string, value: HeaderValue): this {
    return this.appendHeader(name, value);
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

  location(url: string): this {
    return this.setHeader('Location', url);
  }

  links(links: HeaderMap): this {
    const named = Object.entries(links).map(([relation, url]) => `<${String(url)}>; rel="${relation}"`);
    return this.append('Link', named.join(', '));
  }

  /** Response file names have no meaning for MCP clients. */
  attachment(): this {
    return this;
  }

  writeEarlyHints(): void {}

  send(body?: unknown): this {
    return this.sendBody(body);
  }

  json(body?: unknown): this {
    return this.send(body);
  }

  jsonp(body?: unknown): this {
    return this.send(body);
  }

  sendStatus(status: number): this {
    return this.status(status).send();
  }

  callNotFound(): this {
    return this.sendStatus(404);
  }

  /** Accepts the status before the URL, like Express, and after it, like Fastify. */
  redirect(...[first, second]: readonly (string | number | undefined)[]): this {
    const [url, status = 302] = typeof first === 'number' ? [second, first] : [first, second];
    return this.status(Number(status)).location(String(url)).send();
  }

  serializer(): this {
    return this;
  }

  hijack(): this {
    return this;
  }
}

addUnservedMethods(HandlerResponse.prototype);
freezeMethods(HandlerResponse.prototype);
freezeMethods(NodeResponse.prototype);

/**
 * Returns a call's result. As over HTTP, a body that a guard or an interceptor has sent overrides the handler's
 * result. It throws if that is an error response, or if an error was passed to `next()`.
 */
export function takeSentBody(value: unknown, response: HandlerResponse): unknown {
  const { sentResponse, forwardedError } = response;
  if (forwardedError !== undefined) throw forwardedError.error;
  if (sentResponse !== undefined && sentResponse.status >= 400)
    throw buildSentFailure(sentResponse, undefined);
  response.finish();
  return sentResponse === undefined ? value : sentResponse.body;
}

/**
 * Builds the failure of a call whose exception filter sent a status and a body, as controller filters do.
 *
 * @param exception the original exception
 */
export function buildSentFailure({ status, body }: SentResponse, exception: unknown): unknown {
  // A filter unaware of this package's errors handles them like any unknown error.
  if (status >= 500 && isExpected(exception) && !(exception instanceof HttpException)) return exception;
  const parsed = parseBody(body);
  const words = findMessage(parsed) ?? describeUnsaid(status, exception);
  const message = typeof words === 'string' ? words : words.join('\n');
  const failure = new HttpException(isObject(parsed) ? parsed : message, status, { cause: exception });
  // In a body without a message, Nest would find none either.
  return Object.assign(failure, { message });
}

/** A body sent with Node's `end()` is a string already. */
function parseBody(body: unknown): unknown {
  if (typeof body !== 'string' || !/^\s*\{/.test(body)) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Finds the message in a body in Nest's format, in RFC 9457 format, or in a format common in applications. */
function findMessage(body: unknown): string | readonly unknown[] | undefined {
  if (typeof body === 'string') return body === '' ? undefined : body;
  if (!isObject(body)) return undefined;
  const { message, error, detail, title } = body;
  const candidates = [message, isObject(error) ? error['message'] : undefined, detail, title, error];
  return candidates.find((candidate) => isText(candidate) || isList(candidate)) as ReturnType<
    typeof findMessage
  >;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** A body without a message adds nothing to its status, unless the exception is meant for callers. */
function describeUnsaid(status: number, exception: unknown): string {
  if (exception instanceof HttpException) return exception.message;
  const name: string | undefined = HttpStatus[status];
  if (name === undefined) return `Status ${status}`;
  return `${name.charAt(0)}${name.slice(1).toLowerCase().replaceAll('_', ' ')}`;
}
