import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { Middleware } from './edges.js';

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
