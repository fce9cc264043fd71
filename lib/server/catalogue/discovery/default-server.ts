import { Injectable, type InjectionToken, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { SERVER_IDENTITY, type ServerIdentity } from '../../settings/mcp.constants.js';
import { CatalogueError } from '../catalogue.error.js';
import { Injector, type InstanceWrapper, type Module } from '../invocation/nest-contexts.js';
import { findCycle } from './find-cycle.js';
import { findInjectingName } from './find-injecting-name.js';
import { selectDefaultServer } from './select-default-server.js';

/** Makes the default server's providers injectable without the name of a server, in every module. */
@Injectable()
export class DefaultServer {
  readonly #injector = new Injector();

  constructor(private readonly modules: ModulesContainer) {}

  /**
   * Returns a provider of the default server, or `undefined` if no server is the default one.
   *
   * @param token what the provider is injected by if its class is not
   * @throws {CatalogueError} when several servers are marked, when something injects what no server gives, or when the provider could never
   * be made
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

  /** Nest would inject nothing, and the application would fail when it uses it. */
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
      throw CatalogueError.noServerToInject(name, provider.name, keys);
    }
  }
}

/** Nest does not see what is loaded here, and the process would end without a word: everything waits, and nothing is left to do. */
function assertMakeable(wrapper: InstanceWrapper, module: Module, server: string): void {
  const cycle = findCycle(wrapper, (other) =>
    isOfDefaultServer(other) ? module.getProviderByKey(other.token) : undefined,
  );
  const injecting = cycle?.findLast((other) => !other.isAlias && !isOfDefaultServer(other));
  if (injecting === undefined) return;
  throw CatalogueError.neededToMake(String(injecting.name), String(wrapper.name), server);
}

function isOfDefaultServer({ inject }: InstanceWrapper): boolean {
  return Array.isArray(inject) && inject.includes(DefaultServer);
}
