import type { ApplicationConfig } from '@nestjs/core';
import { trimSlash } from '../../../core/oauth/metadata.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { RequestMethod } from '@nestjs/common';

/** A server's paths, with the application's global prefix if configured. */
export class EndpointPath {
  #path: string | undefined;
  #ssePath: string | undefined;

  constructor(
    private readonly settings: ServerSettings,
    private readonly application: ApplicationConfig,
  ) {}

  /** The endpoint path. Read it once the application is set up. */
  get path(): string {
    this.#path ??= this.#build(this.settings.mcpPath);
    return this.#path;
  }

  /** The HTTP+SSE transport's path, if it is served. */
  get ssePath(): string | undefined {
    const { sse } = this.settings;
    this.#ssePath ??= sse && this.#build(sse.path);
    return this.#ssePath;
  }

  /** All paths. */
  get paths(): readonly string[] {
    return this.ssePath === undefined ? [this.path] : [this.path, this.ssePath];
  }

  /** The path at which clients reach the HTTP+SSE transport, if a proxy strips a prefix. */
  get publicSsePath(): string {
    const { path, ssePath = '' } = this;
    const publicPath = trimSlash(this.settings.publicUrl?.pathname ?? path);
    return publicPath.endsWith(path) ? publicPath.slice(0, -path.length) + ssePath : ssePath;
  }

  /** The endpoint's public URL, or else its path. */
  get address(): string {
    return this.settings.publicUrl?.href ?? this.path;
  }

  /** A path's methods, as an `Allow` header value (RFC 9110 §10.2.1). */
  listMethods(target: string): string {
    if (this.isSse(target)) return 'GET, POST';
    return this.settings.stateless ? 'POST' : 'POST, GET, DELETE';
  }

  /** Whether a request is for the server. */
  matches(target: string): boolean {
    return isFor(this.path, target) || this.isSse(target);
  }

  /** Whether a request is for the HTTP+SSE transport. */
  isSse(target: string): boolean {
    return this.ssePath !== undefined && isFor(this.ssePath, target);
  }

  #build(path: string): string {
    const { useGlobalPrefix } = this.settings;
    const prefix = useGlobalPrefix ? trimSlashes(this.application.getGlobalPrefix()) : '';
    return prefix === '' ? path : `/${prefix}${path}`;
  }
}

/** Most requests contain the exact path. */
function isFor(path: string, target: string): boolean {
  return target === path || isTargetOf(path, target);
}

/** Whether a request is for a path, as leniently as the adapters' routers. */
export function isTargetOf(path: string, target: string): boolean {
  if (target.length < path.length) return false;
  const asked = readPath(target).toLowerCase();
  const own = path.toLowerCase();
  return asked === own || asked === `${own}/`;
}

/**
 * Extracts a request target's path as the routers do. If a router matched a target that this function misses, the
 * request would bypass every check before the controller.
 *
 * @see RFC 9112 §3.2
 */
function readPath(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#][^]*/, '');
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function trimSlashes(text: string): string {
  return text.replace(/^\/+|\/+$/g, '');
}

type PrefixOptions = ReturnType<ApplicationConfig['getGlobalPrefixOptions']>;

/** A route without the application's global prefix. */
export type ExcludedRoute = NonNullable<PrefixOptions['exclude']>[number];

/** Routes that servers have excluded themselves. */
const ownRoutes = new WeakSet<ExcludedRoute>();

/**
 * Adds paths to those that the application excludes from its prefix. `setGlobalPrefix()` is called later and replaces the
 * list, and middleware is mounted with that list before a module could extend it.
 *
 * @param listPaths returns the paths; called whenever Nest reads the list, when the prefix is known
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

/** Whether a route was excluded by a server rather than the application. */
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
