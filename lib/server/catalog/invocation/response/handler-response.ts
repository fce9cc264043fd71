import type { HeaderValue } from '../../../context/answer-head.interface.js';
import type { McpContext } from '../../../context/mcp-context.interface.js';
import { NodeResponse, type HeaderMap } from './node-response.js';

/** Code of the application asked the response for something that the answer of a call cannot be. */
class UnservedResponseError extends Error {
  override readonly name = 'UnservedResponseError';

  constructor(method: string, remedy: string) {
    super(`"response.${method}()" is for routes, and there is none in a call of a handler: ${remedy}`);
  }
}

const COOKIE = 'append the header "Set-Cookie", if the client keeps cookies at all';
const FILE = 'return a resource, or content with the bytes in base64';
const PAGE = 'return the text';
const LATE = 'return what the call is answered with';

/** Other methods of the responses of Express, Fastify and their packages for cookies, files and pages, with what to do instead. */
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

/** Gives a class of responses the methods that it cannot serve: each fails by its name. */
function addUnservedMethods(prototype: object): void {
  for (const [method, remedy] of Object.entries(UNSERVED)) {
    const value = (): never => {
      throw new UnservedResponseError(method, remedy);
    };
    if (Object.hasOwn(prototype, method)) continue;
    Object.defineProperty(prototype, method, { value, configurable: true, writable: true });
  }
}

/** Freezes the methods of a class: all calls share them, and a guard that took one for its request would write the user on it. */
function freezeMethods(prototype: object): void {
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value === 'function' && value !== prototype.constructor) Object.freeze(value);
  }
}

/** What Express has on its own response. */
interface ExpressExchange {
  readonly response?: { readonly locals?: Record<string, unknown> };
}

/**
 * Stands in for the HTTP response in the call of a handler, in the shape of both adapters: Express's response and
 * Fastify's reply. The protocol writes the real response. Headers are passed on to it, and a sent body becomes the
 * answer of the call.
 */
export class HandlerResponse extends NodeResponse {
  /** What middlewares and interceptors leave for one another (Express). */
  readonly locals: Record<string, unknown>;
  readonly #startedAt = performance.now();
  #passedOn: { readonly error: unknown } | undefined;

  constructor(context: McpContext, request: unknown) {
    super(context, request);
    this.locals = (context.http as ExpressExchange | undefined)?.response?.locals ?? {};
  }

  /** The error that was given to `next()`, if one was. */
  get passedOn(): { readonly error: unknown } | undefined {
    return this.#passedOn;
  }

  /** A stand-in for Express's `next`. Its argument is the error. */
  readonly next = (error?: unknown): void => {
    if (error === undefined || error === null || error === 'route' || error === 'router') return;
    this.#passedOn ??= { error };
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

  /** What an answer is called as a file is nothing to clients of the protocol. */
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

  /** Takes the status before the URL as Express does, and behind it as Fastify does. */
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
