import type { CanActivate, Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  MODULE_PATH,
  PATH_METADATA,
} from '@nestjs/common/constants.js';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { isPath } from '../../../../core/checks/option-checks.js';
import type { EndpointCheck } from '../../../auth/endpoint-check.js';
import { McpConfigurationError } from '../../../settings/mcp-configuration.error.js';
import { DEFAULT_SERVER, type ServerIdentity } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { type EndpointPath, excludeFromPrefix, isOwnExclusion } from '../endpoint-path.js';

/** Gives the controller of a server its path once the options are known, and keeps the global prefix off it. */
export class ControllerRoute {
  #hasInterceptors = false;

  constructor(
    private readonly settings: ServerSettings,
    private readonly controller: Type,
    private readonly endpoint: EndpointPath,
    private readonly application: ApplicationConfig,
    private readonly modules: ModulesContainer,
    private readonly access: EndpointCheck,
    private readonly identity: ServerIdentity,
  ) {
    const { mcpPath, sse, useGlobalPrefix } = settings;
    const paths = sse === undefined ? [mcpPath] : [mcpPath, sse.path];
    Reflect.defineMetadata(PATH_METADATA, paths, controller);
    if (!useGlobalPrefix) excludeFromPrefix(application, () => paths);
  }

  /** Tells whether interceptors of the application see the requests. */
  get hasInterceptors(): boolean {
    return this.#hasInterceptors;
  }

  /**
   * Puts the server at the path of its options, where no other server of the application may be, with the guard before it.
   * To be called when the global prefix and the global interceptors are known.
   *
   * @throws {McpConfigurationError} when the application moves it, or another server has its path
   */
  claimPath(module: Type, guard: CanActivate | undefined): void {
    this.#placeGuard(guard);
    this.#assertNotRouted(module);
    this.#assertNotExcluded();
    this.#assertOnePath();
    const taken = takenPaths.get(this.application) ?? new Map<string, PathOwner>();
    takenPaths.set(this.application, taken);
    const { mcpPath, serverInfo } = this.settings;
    const owner = { server: this.identity.server, name: serverInfo.name };
    takeAll('mcpPath', [mcpPath, this.endpoint.path], { owner, taken });
    const { ssePath } = this.endpoint;
    if (ssePath !== undefined) takeAll('sse.path', [ssePath], { owner, taken });
  }

  /** What an interceptor sees has passed the guard, so if there is one Nest must call both. */
  #placeGuard(guard: CanActivate | undefined): void {
    this.#hasInterceptors = hasInterceptors(this.application, this.controller);
    const isReplaced = this.access.useGuard(guard, !this.#hasInterceptors);
    setGuard(this.controller, isReplaced ? undefined : guard);
  }

  #assertNotRouted(module: Type): void {
    const path: string = Reflect.getMetadata(MODULE_PATH + this.modules.applicationId, module) ?? '/';
    if (path === '/') return;
    throw new McpConfigurationError(
      'mcpPath',
      `is absolute, but "RouterModule" puts "${path}" before it: leave "McpModule" out there and write the whole path here`,
    );
  }

  #assertNotExcluded(): void {
    const { mcpPath, sse, useGlobalPrefix } = this.settings;
    if (!useGlobalPrefix) return;
    const { exclude = [] } = this.application.getGlobalPrefixOptions();
    const foreign = exclude.filter((route) => !isOwnExclusion(route));
    for (const path of sse === undefined ? [mcpPath] : [mcpPath, sse.path]) {
      if (!foreign.some((route) => route.pathRegex.test(path))) continue;
      throw new McpConfigurationError(
        'useGlobalPrefix',
        `is true, but "setGlobalPrefix" excludes "${path}": remove one of the two`,
      );
    }
  }

  /** The edge knows requests by their path: around it there are no preflights, no HTTP+SSE and no bound for bodies. */
  #assertOnePath(): void {
    const { path } = this.endpoint;
    if (isPath(path)) return;
    throw new McpConfigurationError(
      'useGlobalPrefix',
      `is true, but the prefix makes "${path}" of the path: use only segments that "mcpPath" may have, or leave the option out`,
    );
  }
}

/** A server that has a path. */
interface PathOwner {
  readonly server: string;
  /** The name of its `serverInfo`. */
  readonly name: string;
}

interface Taking {
  readonly owner: PathOwner;
  readonly taken: Map<string, PathOwner>;
}

/** Routers may take upper and lower case for the same. */
function takeAll(option: string, paths: readonly string[], { owner, taken }: Taking): void {
  for (const path of new Set(paths.map((one) => one.toLowerCase()))) {
    const other = taken.get(path);
    if (other !== undefined) throw refusePath(option, path, [other, owner]);
    taken.set(path, owner);
  }
}

function refusePath(
  option: string,
  path: string,
  [one, another]: readonly [PathOwner, PathOwner],
): McpConfigurationError {
  const found = `is "${path}" in two servers, ${formatOwner(one)} and ${formatOwner(another)}`;
  const remedy =
    one.server === another.server
      ? `neither has a name. Import the module once, or give one of them a name and a path, such as { server: "admin", mcpPath: "/admin" }, and list its handlers by "McpModule.forFeature()"`
      : 'give each a path of its own';
  return new McpConfigurationError(option, `${found}: ${remedy}`);
}

function formatOwner({ server, name }: PathOwner): string {
  return server === DEFAULT_SERVER ? `"${name}" (without "server")` : `"${server}"`;
}

function hasInterceptors(application: ApplicationConfig, controller: Type): boolean {
  const isGlobal =
    application.getGlobalInterceptors().length > 0 || application.getGlobalRequestInterceptors().length > 0;
  const places = [controller, ...listHandlers(controller)];
  return isGlobal || places.some((place) => Reflect.hasMetadata(INTERCEPTORS_METADATA, place));
}

/** The guards that were put before controllers: applications of one module have its controllers in common. */
const placed = new WeakSet<object>();

/** Puts a guard before every route that it belongs before, or none, instead of another application's. */
function setGuard(controller: Type, guard: CanActivate | undefined): void {
  if (guard !== undefined) placed.add(guard);
  for (const handler of listHandlers(controller)) {
    const present: readonly object[] = Reflect.getMetadata(GUARDS_METADATA, handler) ?? [];
    const others = present.filter((one) => !placed.has(one));
    Reflect.defineMetadata(GUARDS_METADATA, guard === undefined ? others : [...others, guard], handler);
  }
}

/** Lists the routes behind the guard: all except the preflight routes, since preflights carry no token. */
function listHandlers(controller: Type): readonly object[] {
  return ['post', 'get', 'delete'].map((route) => controller.prototype[route]);
}

/** The paths that servers of an application have. Nest knows routes by what they are without the prefix. */
const takenPaths = new WeakMap<ApplicationConfig, Map<string, PathOwner>>();
