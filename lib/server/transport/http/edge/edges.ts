import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';

/** A middleware as Express calls it, or a route's handler: Nest's, with all that stands around a controller's method. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown;

const edges = new WeakSet<Middleware>();

/** Puts one of this library's own middlewares before the application's. */
export function putEdge(adapter: AbstractHttpAdapter, edge: Middleware): void {
  edges.add(edge);
  adapter.use(edge);
}

/** Tells whether a middleware is one of this library: they let pass what is another's. */
export function isEdge(middleware: Middleware): boolean {
  return edges.has(middleware);
}
