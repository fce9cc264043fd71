import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';

/** A Fastify request once it is routed. */
interface RoutedRequest {
  readonly raw: IncomingMessage;
  /** The route path; `undefined` if none matched. */
  readonly routeOptions: { readonly url?: string };
}

/** Handles a request. Returns whether it did. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  routed: RoutedRequest,
) => boolean;

/** A Fastify hook. */
type OnRequest = (
  request: RoutedRequest,
  reply: { readonly raw: ServerResponse; hijack(): void },
  done: () => void,
) => void;

const hooks = new WeakMap<AbstractHttpAdapter, OnRequest>();

/**
 * Handles requests before the application's hooks and `enableCors()`, which Nest's Fastify adapter runs before any
 * middleware. The adapter has one earlier hook, which an application's servers share.
 */
export function handleFirst(adapter: AbstractHttpAdapter, answer: RequestHandler): void {
  if (adapter.getType() !== 'fastify') return;
  const next: OnRequest = hooks.get(adapter) ?? ((_request, _reply, done) => done());
  const hook: OnRequest = (request, reply, done) => {
    if (!answer(request.raw, reply.raw, request)) return next(request, reply, done);
    reply.hijack();
  };
  hooks.set(adapter, hook);
  adapter.setOnRequestHook(hook);
}

/** A route as Fastify registers it. */
interface FastifyRoute {
  readonly method: string | readonly string[];
  readonly url: string;
}

/** Fastify's router options, which may also be set at the top level. */
interface RouterOptions {
  readonly ignoreTrailingSlash?: boolean;
}

/** The parts of a Fastify application that are used here. */
interface FastifyInstance {
  readonly initialConfig: RouterOptions & { readonly routerOptions?: RouterOptions };
  route(route: FastifyRoute): unknown;
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): unknown;
}

/** A path's trailing slash, as determined by the router. */
const LAST_SLASH = /\/(?=[?#;]|$)/;

/**
 * Makes Fastify accept paths with a trailing slash, as Express does, because a client configured with one would get a
 * 404.
 *
 * Later handlers see the path without the slash. Before 11.2, Nest's adapter does not run path-bound middleware for
 * the path with a slash, and the application's hooks may know only the path without it. A slash must not bypass them.
 *
 * @param isOwn whether a path belongs to the server; called when routes are registered
 */
export function routeTrailingSlashes(adapter: AbstractHttpAdapter, isOwn: (path: string) => boolean): void {
  if (adapter.getType() !== 'fastify') return;
  const fastify: FastifyInstance = adapter.getInstance();
  const { ignoreTrailingSlash, routerOptions } = fastify.initialConfig;
  // The router already ignores the slash, and a route must not exist twice.
  if (ignoreTrailingSlash === true || routerOptions?.ignoreTrailingSlash === true) return;
  const added = new Set<string | undefined>();
  fastify.addHook('onRoute', (route) => {
    // Fastify registers HEAD with each GET, including the one registered here.
    if (route.method === 'HEAD' || !isOwn(route.url)) return;
    const url = `${route.url}/`;
    added.add(url);
    fastify.route({ ...route, url });
  });
  handleFirst(adapter, (request, _response, routed) => {
    const { url = '' } = request;
    const isSlashed = LAST_SLASH.test(url) && added.has(routed.routeOptions.url);
    if (isSlashed) request.url = url.replace(LAST_SLASH, '');
    return false;
  });
}

/**
 * Inspects a request. Returns whether the application should handle it; otherwise it has been responded to.
 *
 * @param routed the adapter's request, if there is one
 */
type Inspect = (request: IncomingMessage, response: ServerResponse, routed?: object) => boolean;

/** The parts of a Fastify application that are used here. */
interface MiddlewareFastify {
  addHook(name: 'onRequest', hook: MiddlewareHook): unknown;
  /** Absent if the application registers its own middleware engine. */
  use?: Use;
}

type Use = (this: MiddlewareFastify, ...middleware: readonly unknown[]) => unknown;

type MiddlewareHook = (
  request: { readonly raw: IncomingMessage },
  reply: { readonly raw: ServerResponse; hijack(): void },
  done: (error?: unknown) => void,
) => void;

/**
 * Inspects each Fastify request before the application's first middleware. The middleware engine costs a tenth of a
 * call, even without middleware. A hook therefore inspects requests until there is a middleware that would run before
 * hooks; from then on, another middleware inspects them.
 *
 * @param onPassed called once the application has handled the request synchronously
 */
export function handleBeforeMiddleware(
  adapter: AbstractHttpAdapter,
  look: Inspect,
  onPassed: (request: IncomingMessage) => void,
): void {
  const fastify: MiddlewareFastify = adapter.getInstance();
  let isMiddleware = false;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isMiddleware) return done();
    let isForOthers: boolean;
    try {
      isForOthers = look(request.raw, reply.raw, request);
    } catch (error) {
      // An exception in a Fastify hook would crash the process.
      return done(error);
    }
    if (!isForOthers) return reply.hijack();
    done();
    onPassed(request.raw);
  });
  const { use } = fastify;
  if (use === undefined) return;
  fastify.use = function (...middleware) {
    if (!isMiddleware) {
      isMiddleware = true;
      adapter.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
        if (!look(request, response)) return;
        next();
        onPassed(request);
      });
    }
    return Reflect.apply(use, this, middleware);
  };
}
