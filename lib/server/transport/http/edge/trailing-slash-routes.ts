import type { AbstractHttpAdapter } from '@nestjs/core';

/** A route as Fastify adds it. */
interface FastifyRoute {
  readonly method: string | readonly string[];
  readonly url: string;
}

/** Options of Fastify's router, which stand beside the others too. */
interface RouterOptions {
  readonly ignoreTrailingSlash?: boolean;
}

/** What is needed of an application of Fastify. */
interface FastifyInstance {
  readonly initialConfig: RouterOptions & { readonly routerOptions?: RouterOptions };
  route(route: FastifyRoute): unknown;
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): unknown;
}

/**
 * Has Fastify take paths with a slash at the end too, as Express does by itself: a client that is given the address with one
 * would find nothing.
 *
 * @param isOwn tells which paths are meant; it is asked when routes are added
 */
export function routeTrailingSlashes(adapter: AbstractHttpAdapter, isOwn: (path: string) => boolean): void {
  if (adapter.getType() !== 'fastify') return;
  const fastify: FastifyInstance = adapter.getInstance();
  const { ignoreTrailingSlash, routerOptions } = fastify.initialConfig;
  // The two are the same then, and there must be no route twice.
  if (ignoreTrailingSlash === true || routerOptions?.ignoreTrailingSlash === true) return;
  fastify.addHook('onRoute', (route) => {
    // Fastify adds HEAD to each GET, which comes with that of the slash.
    if (route.method !== 'HEAD' && isOwn(route.url)) fastify.route({ ...route, url: `${route.url}/` });
  });
}
