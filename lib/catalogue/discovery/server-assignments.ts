import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { FeatureAssignment } from '../../settings/feature-assignment.interface.js';
import { FEATURE_ASSIGNMENT, SERVER_IDENTITY, type ServerIdentity } from '../../settings/mcp.constants.js';
import { CatalogueError } from '../catalogue.error.js';
import { selectDefaultServer } from './select-default-server.js';

/** Which class belongs to which of the application's servers. */
@Injectable()
export class ServerAssignments implements OnModuleInit {
  #servers: ReadonlyMap<object, ReadonlySet<string>> | undefined;
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
   * Tells whether the handlers of a class belong to a server.
   *
   * @throws {CatalogueError} when no server is theirs, or the servers or assignments contradict each other
   */
  belongs(classRef: object, className: string, server: string): boolean {
    this.#servers ??= this.#read();
    const assigned = this.#servers.get(classRef);
    if (assigned !== undefined) return assigned.has(server);
    if (this.#defaultServer === undefined) throw CatalogueError.noDefaultServer(className);
    return this.#defaultServer === server;
  }

  #read(): ReadonlyMap<object, ReadonlySet<string>> {
    const identities = this.#find(SERVER_IDENTITY) as readonly ServerIdentity[];
    const assignments = this.#find(FEATURE_ASSIGNMENT) as readonly FeatureAssignment[];
    const known = assertUnique(identities.map(({ server }) => server));
    this.#defaultServer = selectDefaultServer(identities);
    const provided = this.#findProvided();
    const servers = new Map<object, Set<string>>();
    for (const { server, providers } of assignments) {
      if (!known.has(server)) throw CatalogueError.unknownServer(server, [...known]);
      for (const provider of providers) {
        if (!provided.has(provider)) throw CatalogueError.notProvided(provider.name);
        servers.set(provider, (servers.get(provider) ?? new Set()).add(server));
      }
    }
    return servers;
  }

  /** Finds all classes that have an instance, and those in whose place a test has put something else. */
  #findProvided(): ReadonlySet<unknown> {
    const wrappers = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    return new Set(
      wrappers.flatMap(({ token, metatype, instance }): unknown[] => [token, metatype, classOf(instance)]),
    );
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

/** Gives the class of what a factory or a value provides. */
function classOf(instance: unknown): unknown {
  if (typeof instance !== 'object' || instance === null) return undefined;
  const prototype: object | null = Object.getPrototypeOf(instance);
  return prototype?.constructor;
}
