import type { Type } from '@nestjs/common';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { isObservable, type Observable } from 'rxjs';
import { explainError } from '../../../core/log/describe-failure.js';
import { CatalogError } from '../../catalog/catalog.error.js';
import { findClass } from '../../catalog/discovery/providers.js';
import type { ServerAssignments } from '../../catalog/discovery/server-assignments.js';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  type InstanceWrapper,
} from '../../catalog/invocation/nest-contexts.js';
import { readAccessMetadata } from '../../decorators/access.decorators.js';
import { findThrottled } from '../../limits/throttler-package.js';
import {
  assertEventSourceOptions,
  type EventSourceOptions,
} from '../../settings/extensions/event-source-options.js';
import type { AccessOptions } from '../../settings/handler-options.interface.js';
import { EVENT_SOURCE_METADATA, type ServerIdentity } from '../../settings/mcp.constants.js';

/** A method that is a source of events. */
export interface DeclaredSource {
  /** The class and the method, for error messages. */
  readonly location: string;
  readonly name: string;
  readonly options: EventSourceOptions;
  readonly access: AccessOptions;
  /**
   * Calls the method.
   *
   * @throws {CatalogError} if it returns no Observable
   */
  open(): Observable<unknown>;
}

interface DecoratedMethod {
  readonly host: InstanceWrapper;
  readonly classRef: Type;
  readonly method: (...args: unknown[]) => unknown;
  readonly options: EventSourceOptions;
}

/** Finds one server's event sources among the application's providers and controllers. */
export class EventSourceExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly assignments: ServerAssignments,
    private readonly identity: ServerIdentity,
  ) {}

  /** @throws {CatalogError} if a source declaration is invalid */
  explore(): readonly DeclaredSource[] {
    const hosts = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    const sources = hosts.filter(({ isAlias }) => !isAlias).flatMap((host) => this.#exploreHost(host));
    const locations = new Map<string, string>();
    for (const { name, location } of sources) {
      const other = locations.get(name);
      if (other !== undefined) throw refuse(location, `the event "${name}" is already used by ${other}`);
      locations.set(name, location);
    }
    return sources;
  }

  #exploreHost(host: InstanceWrapper): readonly DeclaredSource[] {
    const classRef = findClass(host);
    const prototype: object | undefined = classRef?.prototype;
    if (classRef === undefined || prototype === undefined) return [];
    const declared = this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method: unknown = Reflect.get(prototype, name);
      const options: EventSourceOptions | undefined =
        typeof method === 'function' ? Reflect.getMetadata(EVENT_SOURCE_METADATA, method) : undefined;
      if (options === undefined) return [];
      return [describe(name, { host, classRef, method: method as DecoratedMethod['method'], options })];
    });
    if (declared.length === 0) return [];
    const isOurs = this.assignments.belongs(
      { host, classRef, className: classRef.name },
      this.identity.server,
    );
    return isOurs ? declared : [];
  }
}

function describe(methodName: string, decorated: DecoratedMethod): DeclaredSource {
  const { classRef, method, options } = decorated;
  const location = `@EventSource() on "${classRef.name}.${methodName}"`;
  assertPlain(location, decorated);
  assertSourceOptions(location, options);
  return {
    location,
    name: options.name ?? methodName,
    options,
    access: readAccessMetadata(classRef, method),
    open: () => {
      const values = call(location, decorated);
      if (isObservable(values)) return values;
      throw refuse(location, 'the method must return an Observable');
    },
  };
}

function assertSourceOptions(location: string, options: unknown): void {
  try {
    assertEventSourceOptions(options);
  } catch (error) {
    throw refuse(location, explainError(error), error);
  }
}

function call(location: string, { host, method }: DecoratedMethod): unknown {
  try {
    return method.call(host.instance);
  } catch (error) {
    throw refuse(location, explainError(error), error);
  }
}

/** Sources run outside requests, so enhancers would silently never run. */
function assertPlain(location: string, { host, classRef, method }: DecoratedMethod): void {
  if (host.isTransient || !host.isDependencyTreeStatic()) {
    throw refuse(location, `"${classRef.name}" is not a singleton: event sources run outside of requests`);
  }
  for (const [kind, key] of ENHANCERS) {
    if (!Reflect.hasMetadata(key, method) && !Reflect.hasMetadata(key, classRef)) continue;
    throw refuse(
      location,
      `${kind} do not run for events: remove them, and use "RequireScope" or the option "filter"`,
    );
  }
  assertUnlimited(location, classRef, method);
}

/** The method is called once for all listeners, so limits on calls have no effect. */
function assertUnlimited(location: string, classRef: Type, method: object): void {
  const { concurrency } = readAccessMetadata(classRef, method);
  const throttled = findThrottled([method, classRef]).length > 0;
  if (concurrency === undefined && !throttled) return;
  const decorator = throttled ? '@Throttle()' : '@Concurrency()';
  throw refuse(
    location,
    `${decorator} does not limit events: remove it, and list "events/poll" and "events/stream" in "throttle.methods"`,
  );
}

const ENHANCERS = [
  ['guards', GUARDS_METADATA],
  ['interceptors', INTERCEPTORS_METADATA],
  ['pipes', PIPES_METADATA],
  ['filters', EXCEPTION_FILTERS_METADATA],
] as const;

function refuse(location: string, explanation: string, cause?: unknown): CatalogError {
  return CatalogError.invalid(`${location}: ${explanation}`, cause);
}
