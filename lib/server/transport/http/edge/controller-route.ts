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

/** Sets the path of a server's controller once the options are known, and excludes it from the global prefix. */
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

  /** Whether the application's interceptors run for requests. */
  get hasInterceptors(): boolean {
    return this.#hasInterceptors;
  }

  /**
   * Registers the server path, which none of the application's other servers may use, and applies the guard. Call it
   * when the global prefix and the global interceptors are known. Next hop: `EndpointCheck.useGuard`, which decides
   * whether Nest or `EndpointCheck` calls the guard.
   *
   * @throws {McpConfigurationError} if the application moves the path, or another server uses it
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

  /** Interceptors must run after the guard, so Nest has to call both. */
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
      `is absolute, but "RouterModule" adds the prefix "${path}": remove "McpModule" from "RouterModule", and set the full path here`,
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

  /** The edge matches requests by path. At any other path there would be no preflights, HTTP+SSE or body limit. */
  #assertOnePath(): void {
    const { path } = this.endpoint;
    if (isPath(path)) return;
    throw new McpConfigurationError(
      'useGlobalPrefix',
      `is true, but the prefix turns the path into "${path}": use only segments that are valid in "mcpPath", or remove the option`,
    );
  }
}

/** The server at a path. */
interface PathOwner {
  readonly server: string;
  /** The `serverInfo.name`. */
  readonly name: string;
}

interface Taking {
  readonly owner: PathOwner;
  readonly taken: Map<string, PathOwner>;
}

/** Routers may ignore case. */
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
  const found = `is "${path}" for two servers, ${formatOwner(one)} and ${formatOwner(another)}`;
  const fix =
    one.server === another.server
      ? `neither has a name. Import the module once, or give one of them a name and a path, such as { server: "admin", mcpPath: "/admin" }, and assign its handlers with "McpModule.forFeature()"`
      : 'give each server its own path';
  return new McpConfigurationError(option, `${found}: ${fix}`);
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

/** Guards set on controllers. Applications built from the same module share its controllers. */
const placed = new WeakSet<object>();

/** Sets or removes the guard on every protected route, replacing another application's guard. */
function setGuard(controller: Type, guard: CanActivate | undefined): void {
  if (guard !== undefined) placed.add(guard);
  for (const handler of listHandlers(controller)) {
    const present: readonly object[] = Reflect.getMetadata(GUARDS_METADATA, handler) ?? [];
    const others = present.filter((one) => !placed.has(one));
    Reflect.defineMetadata(GUARDS_METADATA, guard === undefined ? others : [...others, guard], handler);
  }
}

/** The routes behind the guard: all routes except preflights, which carry no token. */
function listHandlers(controller: Type): readonly object[] {
  return ['post', 'get', 'delete'].map((route) => controller.prototype[route]);
}

/** The paths of an application's servers, without the prefix, as Nest registers routes. */
const takenPaths = new WeakMap<ApplicationConfig, Map<string, PathOwner>>();
