import { Injectable, Scope, type InjectionToken, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { SERVER_IDENTITY, type ServerIdentity } from '../../settings/mcp.constants.js';
import { CatalogError } from '../catalog.error.js';
import { Injector, type InstanceWrapper, type Module } from '../invocation/nest-contexts.js';
import { findDependencies, type Dependency } from './providers.js';
import { selectDefaultServer } from './server-assignments.js';

/** Makes the default server's providers injectable in every module without a server name. */
@Injectable()
export class DefaultServer {
  readonly #injector = new Injector();

  constructor(private readonly modules: ModulesContainer) {}

  /**
   * Returns a provider of the default server, or `undefined` if no server is the default.
   *
   * @param token the injection token, if it is not the provider's class
   * @throws {CatalogError} if several servers are marked, if something injects what no server provides, or if the
   * provider could never be created
   */
  async load<Provided>(provider: Type<Provided>, token: InjectionToken): Promise<Provided | undefined> {
    const servers = this.#findServers();
    const server = selectDefaultServer([...servers.keys()]);
    const module = [...servers].find(([identity]) => identity.server === server)?.[1];
    if (server === undefined || module === undefined) {
      this.#assertNotInjected(provider, token, servers);
      return undefined;
    }
    const wrapper: InstanceWrapper = module.getProviderByKey(provider);
    assertMakeable(wrapper, module, server);
    await this.#injector.loadProvider(wrapper, module);
    return wrapper.instance as Provided;
  }

  #findServers(): ReadonlyMap<ServerIdentity, Module> {
    const servers = new Map<ServerIdentity, Module>();
    for (const module of this.modules.values()) {
      const identity = module.providers.get(SERVER_IDENTITY);
      if (identity !== undefined) servers.set(identity.instance as ServerIdentity, module);
    }
    return servers;
  }

  /** Nest would inject nothing, and the application would fail on first use. */
  #assertNotInjected(
    provider: Type,
    token: InjectionToken,
    servers: ReadonlyMap<ServerIdentity, Module>,
  ): void {
    const own: ReadonlySet<Module> = new Set(servers.values());
    for (const module of this.modules.values()) {
      if (own.has(module) || module.providers.has(DefaultServer)) continue;
      const name = findInjectingName(module, [provider, token]);
      if (name === undefined) continue;
      const keys = [...servers.keys()].map(({ server }) => server);
      throw CatalogError.noServerToInject(name, provider.name, keys);
    }
  }
}

/**
 * Nest does not detect such a cycle. The process would exit silently, because everything waits and no work remains.
 */
function assertMakeable(wrapper: InstanceWrapper, module: Module, server: string): void {
  const cycle = findCycle(wrapper, (other) =>
    isOfDefaultServer(other) ? module.getProviderByKey(other.token) : undefined,
  );
  const injecting = cycle?.findLast((other) => !other.isAlias && !isOfDefaultServer(other));
  if (injecting === undefined) return;
  throw CatalogError.neededToMake(String(injecting.name), String(wrapper.name), server);
}

function isOfDefaultServer({ inject }: InstanceWrapper): boolean {
  return Array.isArray(inject) && inject.includes(DefaultServer);
}

/**
 * Finds the cycle of a provider that waits for itself. Each returned provider waits for the next one, and the last
 * waits for the first.
 *
 * @param redirect returns provider dependencies that Nest does not know
 */
function findCycle(
  start: InstanceWrapper,
  redirect: (wrapper: InstanceWrapper) => InstanceWrapper | undefined,
): readonly InstanceWrapper[] | undefined {
  const visited = new Set<InstanceWrapper>();
  function follow(path: readonly InstanceWrapper[], current: InstanceWrapper): typeof path | undefined {
    const here = [...path, current];
    const redirected = redirect(current);
    for (const next of redirected === undefined ? findAwaited(current) : [redirected]) {
      if (next === start) return here;
      if (visited.has(next)) continue;
      visited.add(next);
      const found = follow(here, next);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return follow([], start);
}

/** Nest injects deferred dependencies before they are created, and creates no request-scoped ones at startup. */
function findAwaited(wrapper: InstanceWrapper): readonly InstanceWrapper[] {
  const { host, scope } = wrapper;
  const dependencies = findDependencies(wrapper);
  const isAwaiting = scope !== Scope.REQUEST && !dependencies.some(({ isDeferred }) => isDeferred);
  if (host === undefined || !isAwaiting) return [];
  return dependencies.flatMap(({ token }) => findProvider(host, token as InjectionToken) ?? []);
}

/** Finds the provider that Nest injects for a token: from the module itself, or exported from its imports. */
function findProvider(module: Module, token: InjectionToken): InstanceWrapper | undefined {
  return module.providers.get(token) ?? findImported([...module.imports], token, new Set());
}

function findImported(
  imports: readonly Module[],
  token: InjectionToken,
  visited: Set<Module>,
): InstanceWrapper | undefined {
  for (const module of imports) {
    if (visited.has(module)) continue;
    visited.add(module);
    const own = module.exports.has(token) ? module.providers.get(token) : undefined;
    const found = own ?? findImported(findExported(module), token, visited);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the modules that a module re-exports. */
function findExported({ imports, exports }: Module): readonly Module[] {
  return [...imports].filter(({ metatype }) => exports.has(metatype));
}

/** Finds the name of a provider or a controller in a module that requires one of some tokens. */
function findInjectingName(module: Module, tokens: readonly InjectionToken[]): string | undefined {
  const wrappers = [
    ...module.providers.values(),
    ...module.controllers.values(),
    ...module.injectables.values(),
  ];
  const isWanted = ({ token, isOptional }: Dependency): boolean =>
    !isOptional && tokens.some((wanted) => wanted === token);
  return wrappers.find((wrapper) => findDependencies(wrapper).some(isWanted))?.name;
}
