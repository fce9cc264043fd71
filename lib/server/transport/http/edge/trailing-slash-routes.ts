import type { AbstractHttpAdapter } from '@nestjs/core';
import { answerFirst } from './first-hook.js';

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
  answerFirst(adapter, (request, _response, routed) => {
    const { url = '' } = request;
    const isSlashed = LAST_SLASH.test(url) && added.has(routed.routeOptions.url);
    if (isSlashed) request.url = url.replace(LAST_SLASH, '');
    return false;
  });
}
