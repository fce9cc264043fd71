import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

type PrefixOptions = ReturnType<ApplicationConfig['getGlobalPrefixOptions']>;

/** A route that the application's global prefix is not put before. */
export type ExcludedRoute = NonNullable<PrefixOptions['exclude']>[number];

/** What servers have excluded from the prefix themselves. */
const ownRoutes = new WeakSet<ExcludedRoute>();

/**
 * Adds paths to those that the application excludes from its prefix. `setGlobalPrefix()` is yet to be called and sets
 * the list again, and the application's middleware is mounted by the list before any module could add to it then.
 *
 * @param listPaths gives the paths; it is asked whenever Nest asks for the list, which is once the prefix is known
 */
export function excludeFromPrefix(application: ApplicationConfig, listPaths: () => readonly string[]): void {
  const routes = new Map<string, ExcludedRoute>();
  const readOptions = application.getGlobalPrefixOptions.bind(application);
  application.getGlobalPrefixOptions = () => {
    const options: PrefixOptions = readOptions();
    const own = listPaths().map((path) => routes.get(path) ?? addRoute(routes, path));
    return { ...options, exclude: [...(options.exclude ?? []), ...own] };
  };
}

/** Tells whether a route is excluded by a server, not by the application. */
export function isOwnExclusion(route: ExcludedRoute): boolean {
  return ownRoutes.has(route);
}

function addRoute(routes: Map<string, ExcludedRoute>, path: string): ExcludedRoute {
  const route: ExcludedRoute = {
    path,
    requestMethod: RequestMethod.ALL,
    pathRegex: new RegExp(`^${escapePattern(path)}/?$`, 'i'),
  };
  routes.set(path, route);
  ownRoutes.add(route);
  return route;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
