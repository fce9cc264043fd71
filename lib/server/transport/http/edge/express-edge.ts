import { IncomingMessage, ServerResponse } from 'node:http';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { EndpointPath } from '../endpoint-path.js';

/** An Express middleware, or a route handler with everything that Nest puts around a controller method. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown;

const edges = new WeakSet<Middleware>();

/** Registers one of this library's middleware functions ahead of the application's. */
export function useEdge(adapter: AbstractHttpAdapter, edge: Middleware): void {
  edges.add(edge);
  adapter.use(edge);
}

/** Whether a middleware belongs to this library, in which case it passes other requests on. */
export function isEdge(middleware: Middleware): boolean {
  return edges.has(middleware);
}

/** An Express layer: a middleware or a route. */
export interface Layer {
  readonly handle: Middleware;
  readonly route?: Route;
  match(path: string): boolean;
}

export interface Route {
  readonly path: unknown;
  readonly stack: readonly RouteLayer[];
}

/** A route's handler for one method, or for all. */
interface RouteLayer {
  readonly method: string | undefined;
  readonly handle: object;
  /** Calls the handler and passes its error to `next`. */
  handleRequest(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
}

/** Lists the middleware and routes of an Express application, in the order in which they run. */
export function listLayers(adapter: AbstractHttpAdapter): readonly Layer[] {
  const { router }: { router?: { readonly stack?: readonly Layer[] } } = adapter.getInstance();
  return router?.stack ?? [];
}

/** Whether a route handles a method. */
export function takesMethod({ stack }: Route, method: string): boolean {
  return stack.some((layer) => layer.method === method || layer.method === undefined);
}

/** Whether a route belongs to a controller. Nest registers middleware for single paths as routes, too. */
export function isOfController({ stack }: Route): boolean {
  return stack.some(({ handle }) => Reflect.hasMetadata(PATH_METADATA, handle));
}

/** The methods of Nest's Express adapter that register only body parsers. */
type Registration = 'registerParserMiddleware' | 'useBodyParser';

/** An adapter's registration methods. */
type Registering = Record<Registration | 'use', ((...given: unknown[]) => unknown) | undefined>;

/** How a middleware was registered. */
interface Origin {
  readonly name: Registration;
  readonly method: unknown;
}

/** The Express functions that create parsers. `useBodyParser()` also accepts others, such as `static`. */
const PARSED_KINDS: ReadonlySet<unknown> = new Set(['json', 'urlencoded', 'text', 'raw']);

const watched = new WeakMap<AbstractHttpAdapter, BodyParsers>();

/**
 * The body parsers that Nest's Express adapter has registered. They are recognized by identity, because a function's name
 * proves nothing.
 */
export class BodyParsers {
  readonly #origins = new WeakMap<object, Origin>();
  /** Absent until it is loaded, or if the application has no such adapter. */
  #nest: Partial<Record<Registration, unknown>> | undefined;

  private constructor(private readonly adapter: AbstractHttpAdapter) {
    this.#watch('registerParserMiddleware', () => true);
    this.#watch('useBodyParser', (kind) => PARSED_KINDS.has(kind));
  }

  /** Watches an adapter's later registrations. An application's servers share the result. */
  static watch(adapter: AbstractHttpAdapter): BodyParsers {
    const parsers = watched.get(adapter) ?? new BodyParsers(adapter);
    watched.set(adapter, parsers);
    return parsers;
  }

  /** Loads Nest's adapter, because a derived class may register anything. */
  async recognize(): Promise<void> {
    const loaded = await import('@nestjs/platform-express').catch(() => undefined);
    this.#nest = loaded?.ExpressAdapter.prototype;
  }

  /** Whether a middleware is such a parser. A wrapped one is not. */
  has(middleware: object): boolean {
    const origin = this.#origins.get(middleware);
    return origin !== undefined && origin.method === this.#nest?.[origin.name];
  }

  #watch(name: Registration, isParser: (first: unknown) => boolean): void {
    const adapter = this.adapter as unknown as Registering;
    const method = adapter[name];
    if (method === undefined) return;
    adapter[name] = (...given) => {
      const act = (): unknown => Reflect.apply(method, adapter, given);
      return isParser(given[0]) ? this.#note({ name, method }, act) : act();
    };
  }

  /** Records what is passed to Express while `act` runs. */
  #note(origin: Origin, act: () => unknown): unknown {
    const adapter = this.adapter as unknown as Registering;
    const present = Object.getOwnPropertyDescriptor(adapter, 'use');
    const { use } = adapter;
    adapter.use = (...given) => {
      for (const one of given) if (typeof one === 'function') this.#origins.set(one, origin);
      return use && Reflect.apply(use, adapter, given);
    };
    try {
      return act();
    } finally {
      if (present === undefined) Reflect.deleteProperty(adapter, 'use');
      else Object.defineProperty(adapter, 'use', present);
    }
  }
}

/** A request as Express passes it to a route handler. */
interface RoutedRequest extends IncomingMessage {
  route?: Route | undefined;
  params?: object;
}

/**
 * On Express, passes requests from the edge straight to the controller if no layer in between applies. Express tests
 * every layer for every request, which costs more than a tool call.
 */
export class DirectRoute {
  readonly #routes = new Map<string, Route | undefined>();
  #layerCount = -1;

  constructor(
    private readonly adapter: AbstractHttpAdapter,
    private readonly edge: Middleware,
    private readonly endpoint: EndpointPath,
    private readonly parsers: BodyParsers,
  ) {}

  /** Passes a request to the controller. Returns whether it did. */
  handle(request: RoutedRequest, response: ServerResponse, next: () => void): boolean {
    if (request.url !== this.endpoint.path) return false;
    const route = this.#find(request.method ?? '');
    if (route === undefined) return false;
    request.params = {};
    request.route = route;
    route.stack[0]?.handleRequest(request, response, next);
    return true;
  }

  /** Layers that are added later run after the routes, but require a new check. */
  #find(method: string): Route | undefined {
    const layers = listLayers(this.adapter);
    if (layers.length !== this.#layerCount) this.#routes.clear();
    this.#layerCount = layers.length;
    if (!this.#routes.has(method)) this.#routes.set(method, this.#look(layers, method.toLowerCase()));
    return this.#routes.get(method);
  }

  /** Finds the controller's route, unless another layer applies before or after it. */
  #look(layers: readonly Layer[], method: string): Route | undefined {
    const { path } = this.endpoint;
    const behind = layers.slice(layers.findIndex(({ handle }) => handle === this.edge) + 1);
    const [first, ...others] = behind.filter((layer) => layer.match(path) && this.#hasSay(layer, method));
    const { route } = first ?? {};
    // The last layers are error handlers and the 404 handler.
    const isAlone = others.every((layer) => layer.route === undefined);
    return isAlone && route?.path === path && route.stack.length === 1 ? route : undefined;
  }

  /** Nest's parsers have nothing to do, because the edge hides the body. */
  #hasSay({ handle, route }: Layer, method: string): boolean {
    if (route === undefined) return !this.parsers.has(handle) && !isEdge(handle);
    return takesMethod(route, method);
  }
}

/** An Express application, with the prototypes of its requests and responses. */
interface ExpressApplication {
  readonly request?: object;
  readonly response?: object;
}

/** Node's classes are functions, which can be called on an existing object. */
type NodeClass = typeof IncomingMessage | typeof ServerResponse;

/**
 * Makes the application's server create requests and responses with Express's prototypes. Otherwise Express changes the
 * prototype of every request and response, which makes each later access several times slower.
 */
export function createForExpress(adapter: AbstractHttpAdapter): void {
  const { request, response }: ExpressApplication = adapter.getInstance();
  const server: unknown = adapter.getHttpServer();
  if (request === undefined || response === undefined || typeof server !== 'object' || server === null)
    return;
  replace(server, IncomingMessage, request);
  replace(server, ServerResponse, response);
}

/** Node stores a server's classes under symbols with their names. A custom class is left unchanged. */
function replace(server: object, nodeClass: NodeClass, prototype: object): void {
  const { name } = nodeClass;
  const symbol = Object.getOwnPropertySymbols(server).find(({ description }) => description === name);
  if (symbol === undefined || Reflect.get(server, symbol) !== nodeClass || isClass(nodeClass)) return;
  Reflect.set(server, symbol, derive(nodeClass, prototype));
}

function derive(nodeClass: NodeClass, prototype: object): unknown {
  function Derived(this: object, first: unknown, second: unknown): void {
    Reflect.apply(nodeClass, this, [first, second]);
  }
  Derived.prototype = prototype;
  // V8 predicts the number of properties from the base class, and so uses its fast representation.
  Object.setPrototypeOf(Derived, nodeClass);
  return Derived;
}

/** A class cannot be called without `new`. */
function isClass(nodeClass: NodeClass): boolean {
  return String(nodeClass).startsWith('class');
}
