import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { isEdge, type Middleware } from './edges.js';
import type { EndpointPath } from './endpoint-path.js';

/** What Express keeps of a middleware or a route. */
interface Layer {
  readonly name: string;
  readonly handle: Middleware;
  readonly route?: Route;
  match(path: string): boolean;
}

interface Route {
  readonly path: unknown;
  readonly stack: readonly { readonly method: string; readonly handle: Middleware }[];
}

/** A request as Express leaves it to the handler of a route. */
interface RoutedRequest extends IncomingMessage {
  route?: Route | undefined;
  params?: object;
}

/** Parsers find nothing to do, since the edge hides the body from them. */
const BODY_PARSERS: ReadonlySet<string> = new Set([
  'jsonParser',
  'urlencodedParser',
  'textParser',
  'rawParser',
]);

/**
 * Leads requests from the edge straight to the controller, where nothing stands between the two on Express but what has
 * nothing to do with them: it asks every layer about every request, which costs more than the call of a tool.
 */
export class DirectRoute {
  readonly #routes = new Map<string, Route | undefined>();
  #layers = -1;

  constructor(
    private readonly adapter: AbstractHttpAdapter,
    private readonly edge: Middleware,
    private readonly endpoint: EndpointPath,
  ) {}

  /** Takes a request to the controller, and tells whether it did. */
  take(request: RoutedRequest, response: ServerResponse, next: () => void): boolean {
    if (request.url !== this.endpoint.path) return false;
    const route = this.#find(request.method ?? '');
    if (route === undefined) return false;
    request.params = {};
    request.route = route;
    void route.stack[0]?.handle(request, response, next);
    return true;
  }

  /** What the application adds later stands behind the routes, but makes another look worth while. */
  #find(method: string): Route | undefined {
    const layers = listLayers(this.adapter);
    if (layers.length !== this.#layers) this.#routes.clear();
    this.#layers = layers.length;
    if (!this.#routes.has(method)) this.#routes.set(method, this.#look(layers, method.toLowerCase()));
    return this.#routes.get(method);
  }

  /** Finds the controller's route, unless something before it has a say in the request. */
  #look(layers: readonly Layer[], method: string): Route | undefined {
    const { path } = this.endpoint;
    const behind = layers.slice(layers.findIndex(({ handle }) => handle === this.edge) + 1);
    const first = behind.find((layer) => layer.match(path) && hasSay(layer, method));
    const { route } = first ?? {};
    return route?.path === path && route.stack.length === 1 ? route : undefined;
  }
}

function listLayers(adapter: AbstractHttpAdapter): readonly Layer[] {
  const { router }: { router?: { readonly stack?: readonly Layer[] } } = adapter.getInstance();
  return router?.stack ?? [];
}

function hasSay({ name, handle, route }: Layer, method: string): boolean {
  if (route === undefined) return !BODY_PARSERS.has(name) && !isEdge(handle);
  return route.stack.some((handler) => handler.method === method || handler.method === undefined);
}
