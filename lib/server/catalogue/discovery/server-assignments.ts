import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { FeatureAssignment } from '../../settings/feature-assignment.interface.js';
import { FEATURE_ASSIGNMENT, SERVER_IDENTITY, type ServerIdentity } from '../../settings/mcp.constants.js';
import { CatalogueError } from '../catalogue.error.js';
import type { InstanceWrapper } from '../invocation/nest-contexts.js';
import { readToken } from './find-dependencies.js';
import type { HandlerHost } from './handler.explorer.js';
import { selectDefaultServer } from './select-default-server.js';

/** A provider or a controller, and the class whose handlers it has. */
type AssignableHost = Pick<HandlerHost, 'host' | 'classRef' | 'className'>;

/** Which provider or controller belongs to which of the application's servers. */
@Injectable()
export class ServerAssignments implements OnModuleInit {
  #servers: ReadonlyMap<unknown, ReadonlySet<string>> | undefined;
  #defaultServer: string | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * Checks the servers and assignments even where there is no handler.
   *
   * @throws {CatalogueError} when they contradict each other
   */
  onModuleInit(): void {
    this.#servers ??= this.#read();
  }

  /**
   * Tells whether the handlers of a provider or a controller belong to a server. What is injected by a class that is assigned belongs where
   * that class does, whatever stands in its place.
   *
   * @throws {CatalogueError} when no server is theirs, or the servers or assignments contradict each other
   */
  belongs({ host, classRef, className }: AssignableHost, server: string): boolean {
    this.#servers ??= this.#read();
    const assigned = this.#servers.get(host.token) ?? this.#servers.get(classRef);
    if (assigned !== undefined) return assigned.has(server);
    if (this.#defaultServer === undefined) throw CatalogueError.noDefaultServer(className);
    return this.#defaultServer === server;
  }

  #read(): ReadonlyMap<unknown, ReadonlySet<string>> {
    const identities = this.#find(SERVER_IDENTITY) as readonly ServerIdentity[];
    const assignments = this.#find(FEATURE_ASSIGNMENT) as readonly FeatureAssignment[];
    const known = assertUnique(identities.map(({ server }) => server));
    this.#defaultServer = selectDefaultServer(identities);
    const wrappers = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    const provided = findProvided(wrappers);
    const servers = new Map<unknown, Set<string>>();
    for (const { server, providers } of assignments) {
      if (!known.has(server)) throw CatalogueError.unknownServer(server, [...known]);
      for (const provider of providers) {
        if (!provided.has(provider)) throw CatalogueError.notProvided(provider.name);
        for (const token of followAliases(provider, wrappers)) {
          servers.set(token, (servers.get(token) ?? new Set()).add(server));
        }
      }
    }
    return servers;
  }

  #find(token: symbol): readonly unknown[] {
    return this.discovery
      .getProviders()
      .filter((wrapper) => wrapper.token === token && !wrapper.isAlias)
      .map((wrapper): unknown => wrapper.instance);
  }
}

function assertUnique(servers: readonly string[]): ReadonlySet<string> {
  const known = new Set<string>();
  for (const server of servers) {
    if (known.has(server)) throw CatalogueError.duplicateServer(server);
    known.add(server);
  }
  return known;
}

/** Finds all classes that have an instance, and those in whose place something else stands. */
function findProvided(wrappers: readonly InstanceWrapper[]): ReadonlySet<unknown> {
  return new Set(
    wrappers.flatMap(({ token, metatype, instance }): unknown[] => [token, metatype, classOf(instance)]),
  );
}

/** Gives a token with those of the providers that it leads to: an alias has no handlers of its own, and would lose the assignment. */
function followAliases(named: unknown, wrappers: readonly InstanceWrapper[]): ReadonlySet<unknown> {
  const aliases = wrappers.filter(({ isAlias }) => isAlias);
  const tokens = new Set([named]);
  for (const token of tokens) {
    const found = aliases.filter((alias) => alias.token === token);
    // A set goes on to what is added meanwhile: an alias may lead to another.
    for (const { inject } of found) for (const target of inject ?? []) tokens.add(readToken(target));
  }
  return tokens;
}

/** Gives the class of what a factory or a value provides. */
function classOf(instance: unknown): unknown {
  if (typeof instance !== 'object' || instance === null) return undefined;
  const prototype: object | null = Object.getPrototypeOf(instance);
  return prototype?.constructor;
}
