import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';

/** A request as Fastify has it, once it is routed. */
interface RoutedRequest {
  readonly raw: IncomingMessage;
  /** The path of its route; `undefined` without a route. */
  readonly routeOptions: { readonly url?: string };
}

/** Answers a request, and tells whether it did. */
export type Answer = (request: IncomingMessage, response: ServerResponse, routed: RoutedRequest) => boolean;

/** A hook of Fastify's. */
type OnRequest = (
  request: RoutedRequest,
  reply: { readonly raw: ServerResponse; hijack(): void },
  done: () => void,
) => void;

const hooks = new WeakMap<AbstractHttpAdapter, OnRequest>();

/**
 * Lets a server have a request before the application's hooks and `enableCors()` do. Fastify's adapter runs these before any
 * middleware, and has one hook ahead of them, which the servers of an application share.
 */
export function handleFirst(adapter: AbstractHttpAdapter, answer: Answer): void {
  if (adapter.getType() !== 'fastify') return;
  const next: OnRequest = hooks.get(adapter) ?? ((_request, _reply, done) => done());
  const hook: OnRequest = (request, reply, done) => {
    if (!answer(request.raw, reply.raw, request)) return next(request, reply, done);
    reply.hijack();
  };
  hooks.set(adapter, hook);
  adapter.setOnRequestHook(hook);
}

/** A route as Fastify adds it. */
interface FastifyRoute {
  readonly method: string | readonly string[];
  readonly url: string;
}

/** Options of Fastify's router, which may also be set next to the others. */
interface RouterOptions {
  readonly ignoreTrailingSlash?: boolean;
}

/** What is needed of an application of Fastify. */
interface FastifyInstance {
  readonly initialConfig: RouterOptions & { readonly routerOptions?: RouterOptions };
  route(route: FastifyRoute): unknown;
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): unknown;
}

/** The slash at the end of a path, as the router finds that end. */
const LAST_SLASH = /\/(?=[?#;]|$)/;

/**
 * Has Fastify take paths with a slash at the end too, as Express does by itself: a client that is given the address with one
 * would find nothing.
 *
 * Whoever comes next sees the path without the slash. Before release 11.2, Nest's adapter does not run middleware that is bound
 * to a path for the same path with a slash. Hooks of the application may also know only the path without it. What they protect
 * must not be reached without them.
 *
 * @param isOwn tells which paths are meant; it is asked when routes are added
 */
export function routeTrailingSlashes(adapter: AbstractHttpAdapter, isOwn: (path: string) => boolean): void {
  if (adapter.getType() !== 'fastify') return;
  const fastify: FastifyInstance = adapter.getInstance();
  const { ignoreTrailingSlash, routerOptions } = fastify.initialConfig;
  // The two are the same then, and there must be no route twice.
  if (ignoreTrailingSlash === true || routerOptions?.ignoreTrailingSlash === true) return;
  const added = new Set<string | undefined>();
  fastify.addHook('onRoute', (route) => {
    // Fastify adds HEAD to each GET, which comes with that of the slash.
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
 * Looks at a request, and tells whether the application is to have it; it is answered if not.
 *
 * @param routed the adapter's own request, if it is there
 */
type Inspect = (request: IncomingMessage, response: ServerResponse, routed?: object) => boolean;

/** What is needed of an application of Fastify. */
interface MiddlewareFastify {
  addHook(name: 'onRequest', hook: MiddlewareHook): unknown;
  /** Absent if the application registers what runs middleware itself. */
  use?: Use;
}

type Use = (this: MiddlewareFastify, ...middleware: readonly unknown[]) => unknown;

type MiddlewareHook = (
  request: { readonly raw: IncomingMessage },
  reply: { readonly raw: ServerResponse; hijack(): void },
  done: (error?: unknown) => void,
) => void;

/**
 * Looks at each request of Fastify before the application's first middleware. What runs middleware there takes a tenth of a call, and does
 * nothing as long as there is none. So a hook looks, until there is a middleware: hooks come after that, and another middleware looks then.
 *
 * @param onPassed called with what the application had, as far as it dealt with it at once
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
      // Fastify lets what a hook throws end the process.
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
