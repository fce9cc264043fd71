import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { EndpointPath } from '../endpoint-path.js';
import type { BodyParsers } from './body-parsers.js';
import { isEdge, type Middleware } from './edges.js';
import { listLayers, takesMethod, type Layer, type Route } from './express-layers.js';

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
  take(request: RoutedRequest, response: ServerResponse, next: () => void): boolean {
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
