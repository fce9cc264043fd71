import type { ApplicationConfig } from '@nestjs/core';
import { trimSlash } from '../../../core/oauth/metadata.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { RequestMethod } from '@nestjs/common';

/** The paths at which a server is reached, with the application's global prefix if that is wanted. */
export class EndpointPath {
  #path: string | undefined;
  #ssePath: string | undefined;

  constructor(
    private readonly settings: ServerSettings,
    private readonly application: ApplicationConfig,
  ) {}

  /** Returns the path of the endpoint; to be asked once the application is set up. */
  get path(): string {
    this.#path ??= this.#build(this.settings.mcpPath);
    return this.#path;
  }

  /** Returns the path of the HTTP+SSE transport, if it is served. */
  get ssePath(): string | undefined {
    const { sse } = this.settings;
    this.#ssePath ??= sse && this.#build(sse.path);
    return this.#ssePath;
  }

  /** Returns all of them. */
  get paths(): readonly string[] {
    return this.ssePath === undefined ? [this.path] : [this.path, this.ssePath];
  }

  /** Returns the path of the HTTP+SSE transport as clients see it, if a proxy cuts something off. */
  get publicSsePath(): string {
    const { path, ssePath = '' } = this;
    const publicPath = trimSlash(this.settings.publicUrl?.pathname ?? path);
    return publicPath.endsWith(path) ? publicPath.slice(0, -path.length) + ssePath : ssePath;
  }

  /** Returns where the endpoint is, as clients know it: its URL, if that is set, else its path. */
  get address(): string {
    return this.settings.publicUrl?.href ?? this.path;
  }

  /** Returns the methods that a path of the server takes, as `Allow` names them (RFC 9110 §10.2.1). */
  listMethods(target: string): string {
    if (this.isSse(target)) return 'GET, POST';
    return this.settings.stateless ? 'POST' : 'POST, GET, DELETE';
  }

  /** Tells whether a request is for the server. */
  matches(target: string): boolean {
    return isFor(this.path, target) || this.isSse(target);
  }

  /** Tells whether a request is for the HTTP+SSE transport. */
  isSse(target: string): boolean {
    return this.ssePath !== undefined && isFor(this.ssePath, target);
  }

  #build(path: string): string {
    const { useGlobalPrefix } = this.settings;
    const prefix = useGlobalPrefix ? trimSlashes(this.application.getGlobalPrefix()) : '';
    return prefix === '' ? path : `/${prefix}${path}`;
  }
}

/** Most requests name the path as it is. */
function isFor(path: string, target: string): boolean {
  return target === path || isTargetOf(path, target);
}

/** Tells whether a request is for a path, with the leniency of the adapters' routers. */
export function isTargetOf(path: string, target: string): boolean {
  if (target.length < path.length) return false;
  const asked = readPath(target).toLowerCase();
  const own = path.toLowerCase();
  return asked === own || asked === `${own}/`;
}

/**
 * Reads the path out of a request target as the routers do. If a router took a target for the endpoint and this did not, the
 * request would get past everything that stands before the controller.
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
