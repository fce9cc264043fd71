import { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { EndpointPath } from '../endpoint-path.js';

/** A middleware as Express calls it, or a route's handler: Nest's, with all that stands around a controller's method. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown;

const edges = new WeakSet<Middleware>();

/** Puts one of this library's own middlewares before the application's. */
export function useEdge(adapter: AbstractHttpAdapter, edge: Middleware): void {
  edges.add(edge);
  adapter.use(edge);
}

/** Tells whether a middleware is one of this library: they let pass what is another's. */
export function isEdge(middleware: Middleware): boolean {
  return edges.has(middleware);
}

/** What Express keeps of a middleware or a route. */
export interface Layer {
  readonly handle: Middleware;
  readonly route?: Route;
  match(path: string): boolean;
}

export interface Route {
  readonly path: unknown;
  readonly stack: readonly RouteLayer[];
}

/** What a route does for one method, or for all. */
interface RouteLayer {
  readonly method: string | undefined;
  /** Calls the handler, and passes its error to `next`. */
  handleRequest(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
}

/** Lists the middlewares and routes of an application of Express, in the order in which it asks them. */
export function listLayers(adapter: AbstractHttpAdapter): readonly Layer[] {
  const { router }: { router?: { readonly stack?: readonly Layer[] } } = adapter.getInstance();
  return router?.stack ?? [];
}

/** Tells whether a route takes requests of a method. */
export function takesMethod({ stack }: Route, method: string): boolean {
  return stack.some((layer) => layer.method === method || layer.method === undefined);
}

/** The methods by which Nest's adapter for Express registers body parsers, and nothing else. */
type Registration = 'registerParserMiddleware' | 'useBodyParser';

/** An adapter, as far as it registers middleware. */
type Registering = Record<Registration | 'use', ((...given: unknown[]) => unknown) | undefined>;

/** How a middleware was registered. */
interface Origin {
  readonly name: Registration;
  readonly method: unknown;
}

/** The functions from which `useBodyParser()` creates parsers. It accepts other functions of Express too, such as `static`. */
const PARSED_KINDS: ReadonlySet<unknown> = new Set(['json', 'urlencoded', 'text', 'raw']);

const watched = new WeakMap<AbstractHttpAdapter, BodyParsers>();

/**
 * The body parsers that Nest's adapter for Express has registered. They are known by being the very functions: a name
 * says nothing of what a function does.
 */
export class BodyParsers {
  readonly #origins = new WeakMap<object, Origin>();
  /** Absent until it is known, or if the application has no such adapter. */
  #nest: Partial<Record<Registration, unknown>> | undefined;

  private constructor(private readonly adapter: AbstractHttpAdapter) {
    this.#watch('registerParserMiddleware', () => true);
    this.#watch('useBodyParser', (kind) => PARSED_KINDS.has(kind));
  }

  /** Watches the later registrations of an adapter. The servers of an application share what is found. */
  static watch(adapter: AbstractHttpAdapter): BodyParsers {
    const parsers = watched.get(adapter) ?? new BodyParsers(adapter);
    watched.set(adapter, parsers);
    return parsers;
  }

  /** Looks at Nest's own adapter: a class that derives from it may register what it likes. */
  async recognize(): Promise<void> {
    const loaded = await import('@nestjs/platform-express').catch(() => undefined);
    this.#nest = loaded?.ExpressAdapter.prototype;
  }

  /** Tells whether a middleware is one of them. One that somebody has wrapped is not. */
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

  /** Notes what is given to Express in the meantime. */
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

/** A request as Express leaves it to the handler of a route. */
interface RoutedRequest extends IncomingMessage {
  route?: Route | undefined;
  params?: object;
}

/**
 * Leads requests from the edge straight to the controller on Express, if nothing between the two concerns them. Express asks
 * every layer about every request, which costs more than the call of a tool.
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

  /** Takes a request to the controller, and tells whether it did. */
  handle(request: RoutedRequest, response: ServerResponse, next: () => void): boolean {
    if (request.url !== this.endpoint.path) return false;
    const route = this.#find(request.method ?? '');
    if (route === undefined) return false;
    request.params = {};
    request.route = route;
    route.stack[0]?.handleRequest(request, response, next);
    return true;
  }

  /** Layers that the application adds later come after the routes, but require another check. */
  #find(method: string): Route | undefined {
    const layers = listLayers(this.adapter);
    if (layers.length !== this.#layerCount) this.#routes.clear();
    this.#layerCount = layers.length;
    if (!this.#routes.has(method)) this.#routes.set(method, this.#look(layers, method.toLowerCase()));
    return this.#routes.get(method);
  }

  /** Finds the controller's route, unless something else has a say in the request, before it or after. */
  #look(layers: readonly Layer[], method: string): Route | undefined {
    const { path } = this.endpoint;
    const behind = layers.slice(layers.findIndex(({ handle }) => handle === this.edge) + 1);
    const [first, ...others] = behind.filter((layer) => layer.match(path) && this.#hasSay(layer, method));
    const { route } = first ?? {};
    // What ends the list of layers answers what no route has.
    const isAlone = others.every((layer) => layer.route === undefined);
    return isAlone && route?.path === path && route.stack.length === 1 ? route : undefined;
  }

  /** Nest's parsers find nothing to do, since the edge hides the body from them. */
  #hasSay({ handle, route }: Layer, method: string): boolean {
    if (route === undefined) return !this.parsers.has(handle) && !isEdge(handle);
    return takesMethod(route, method);
  }
}

/** An application of Express, with the prototypes of its requests and responses. */
interface ExpressApplication {
  readonly request?: object;
  readonly response?: object;
}

/** Node's classes are functions, which can be called on an object that was created already. */
type NodeClass = typeof IncomingMessage | typeof ServerResponse;

/**
 * Has an application's server create requests and responses as Express wants them. Express changes the prototype of each of
 * them, which makes every later access several times slower. Created this way, they are the same objects, and nothing is
 * left to change.
 */
export function createForExpress(adapter: AbstractHttpAdapter): void {
  const { request, response }: ExpressApplication = adapter.getInstance();
  const server: unknown = adapter.getHttpServer();
  if (request === undefined || response === undefined || typeof server !== 'object' || server === null)
    return;
  replace(server, IncomingMessage, request);
  replace(server, ServerResponse, response);
}

/** Node keeps the classes of a server under symbols that bear their names; a class of somebody's own stays. */
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
  // By the classes that a class derives from V8 tells how many members its objects will have, and keeps them in fast form.
  Object.setPrototypeOf(Derived, nodeClass);
  return Derived;
}

/** Should Node ever write them as classes, they could not be called. */
function isClass(nodeClass: NodeClass): boolean {
  return String(nodeClass).startsWith('class');
}
