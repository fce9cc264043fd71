import type { OnModuleInit } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import type { FeatureAssignment } from '../../settings/module-options.js';
import {
  FEATURE_ASSIGNMENT,
  SERVER_IDENTITY,
  type ServerIdentity,
  DEFAULT_SERVER,
} from '../../settings/mcp.constants.js';
import { CatalogError } from '../catalog.error.js';
import type { InstanceWrapper } from '../invocation/nest-contexts.js';
import { readToken } from './providers.js';
import type { HandlerHost } from './handler.explorer.js';

/** A provider or a controller, and the class whose handlers it has. */
type AssignableHost = Pick<HandlerHost, 'host' | 'classRef' | 'className'>;

/** The assignments of `forFeature`. */
interface Assignments {
  /** Keyed by the tokens and classes that they name. */
  readonly named: ReadonlyMap<unknown, readonly FeatureAssignment[]>;
  /** Unnamed assignments, which apply to everything that the others do not name. */
  readonly open: readonly FeatureAssignment[];
}

const NO_TAGS: readonly string[] = [];

/** Assigns providers and controllers to the application's servers. */
export class ServerAssignments implements OnModuleInit {
  #assignments: Assignments | undefined;
  #defaultServer: string | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * Checks the servers and assignments even if there are no handlers.
   *
   * @throws {CatalogError} if they contradict each other
   */
  onModuleInit(): void {
    this.#assignments ??= this.#read();
  }

  /**
   * Rereads the assignments if modules were loaded after startup.
   *
   * @throws {CatalogError} if they contradict each other
   */
  refresh(): void {
    this.#assignments = this.#read();
  }

  /**
   * Returns whether a provider's or a controller's handler belongs to a server. An assigned class keeps its
   * assignment if another provider replaces it. Unassigned handlers belong to the default server, unless an
   * assignment to that server excludes them.
   *
   * @param tags the handler's tags
   * @throws {CatalogError} if they belong to no server, or the servers or assignments contradict each other
   */
  belongs({ host, classRef, className }: AssignableHost, server: string, tags = NO_TAGS): boolean {
    const assigned = this.#select({ host, classRef });
    const including = assigned.filter((assignment) => includes(assignment, tags));
    if (including.length > 0) return including.some((assignment) => assignment.server === server);
    if (this.#defaultServer === undefined && assigned.length === 0) {
      throw CatalogError.noDefaultServer(className);
    }
    return this.#defaultServer === server && !assigned.some((assignment) => assignment.server === server);
  }

  /** Returns whether tags may limit a server to some of a provider's or a controller's handlers. */
  mayShare(host: AssignableHost, server: string): boolean {
    const assigned = this.#select(host);
    const isFiltered = assigned.some((assignment) => !includesAll(assignment));
    return isFiltered && (this.#defaultServer === server || assigned.some((one) => one.server === server));
  }

  /** Selects the assignments that apply to a provider or a controller. */
  #select({ host, classRef }: Pick<AssignableHost, 'host' | 'classRef'>): readonly FeatureAssignment[] {
    const { named, open } = (this.#assignments ??= this.#read());
    return named.get(host.token) ?? named.get(classRef) ?? open;
  }

  #read(): Assignments {
    const identities = this.#find(SERVER_IDENTITY) as readonly ServerIdentity[];
    const assignments = this.#find(FEATURE_ASSIGNMENT) as readonly FeatureAssignment[];
    const known = assertUnique(identities.map(({ server }) => server));
    this.#defaultServer = selectDefaultServer(identities);
    const wrappers = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    const provided = findProvided(wrappers);
    const named = new Map<unknown, FeatureAssignment[]>();
    for (const assignment of assignments) {
      const { server, providers = [] } = assignment;
      if (!known.has(server)) throw CatalogError.unknownServer(server, [...known]);
      for (const provider of providers) {
        if (!provided.has(provider)) throw CatalogError.notProvided(provider.name);
        for (const token of followAliases(provider, wrappers)) {
          named.set(token, [...(named.get(token) ?? []), assignment]);
        }
      }
    }
    return { named, open: assignments.filter(({ providers }) => providers === undefined) };
  }

  #find(token: symbol): readonly unknown[] {
    return this.discovery
      .getProviders()
      .filter((wrapper) => wrapper.token === token && !wrapper.isAlias)
      .map((wrapper): unknown => wrapper.instance);
  }
}

/** Returns whether an assignment includes a handler with certain tags. */
function includes({ includeTags, excludeTags = [] }: FeatureAssignment, tags: readonly string[]): boolean {
  if (excludeTags.some((tag) => tags.includes(tag))) return false;
  return includeTags === undefined || includeTags.some((tag) => tags.includes(tag));
}

function includesAll({ includeTags, excludeTags }: FeatureAssignment): boolean {
  return includeTags === undefined && excludeTags === undefined;
}

function assertUnique(servers: readonly string[]): ReadonlySet<string> {
  const known = new Set<string>();
  for (const server of servers) {
    if (known.has(server)) throw CatalogError.duplicateServer(server);
    known.add(server);
  }
  return known;
}

/** Finds all instantiated classes, and the classes that another provider replaces. */
function findProvided(wrappers: readonly InstanceWrapper[]): ReadonlySet<unknown> {
  return new Set(
    wrappers.flatMap(({ token, metatype, instance }): unknown[] => [token, metatype, classOf(instance)]),
  );
}

/**
 * Returns a token and the tokens of the providers that it points to. An alias has no handlers itself, and would lose
 * the assignment.
 */
function followAliases(named: unknown, wrappers: readonly InstanceWrapper[]): ReadonlySet<unknown> {
  const aliases = wrappers.filter(({ isAlias }) => isAlias);
  const tokens = new Set([named]);
  for (const token of tokens) {
    const found = aliases.filter((alias) => alias.token === token);
    // The iteration includes added tokens, because an alias may point to another one.
    for (const { inject } of found) for (const target of inject ?? []) tokens.add(readToken(target));
  }
  return tokens;
}

/** Returns the class of the object that a factory or a value provides. */
function classOf(instance: unknown): unknown {
  if (typeof instance !== 'object' || instance === null) return undefined;
  const prototype: object | null = Object.getPrototypeOf(instance);
  return prototype?.constructor;
}

/**
 * Selects an application's default server: the marked server, else the server with the key `default`, else the only
 * server.
 *
 * @throws {CatalogError} if several are marked
 */
export function selectDefaultServer(identities: readonly ServerIdentity[]): string | undefined {
  const marked = identities.filter(({ isDefault }) => isDefault);
  if (marked.length > 1) throw CatalogError.severalDefaultServers(marked.map(({ server }) => server));
  const [only] = identities.length === 1 ? identities : marked;
  const byKey = identities.find(({ server }) => server === DEFAULT_SERVER);
  return (only ?? byKey)?.server;
}
