import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { findPrototype } from '../../../core/classes/find-prototype.js';
import type { HandlerMetadata } from '../../decorators/handler-metadata.js';
import type { AccessOptions } from '../../settings/handler-options.interface.js';
import type { InstanceWrapper } from '../invocation/nest-contexts.js';
import { hasAccessMetadata, readAccessMetadata } from '../../decorators/access.decorators.js';
import { readToolAnnotations } from '../../decorators/handler.decorators.js';
import { HANDLER_METADATA } from '../../settings/mcp.constants.js';

/** An application class that has handlers. */
export interface HandlerHost {
  readonly host: InstanceWrapper;
  readonly classRef: object;
  readonly className: string;
  readonly methods: readonly DecoratedMethod[];
  /** Methods with access decorators that are not handlers and so cannot be called. */
  readonly unserved: readonly string[];
}

/** A method with the metadata from its decorators. */
export interface DecoratedMethod {
  readonly methodName: string;
  readonly handlers: readonly HandlerMetadata[];
  /** Who may call it. */
  readonly access: AccessOptions;
}

interface MethodLocation {
  readonly classRef: object;
  readonly prototype: object;
  readonly methodName: string;
}

/** Finds the decorated methods of all providers and controllers of the application. */
export class HandlerExplorer {
  readonly #explored = new WeakSet<InstanceWrapper>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly accessor: MetadataAccessor,
  ) {}

  /** Returns every class with handlers that was added since the last call, in declaration order. */
  explore(): readonly HandlerHost[] {
    const hosts = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    const added = hosts.filter((host) => !this.#explored.has(host));
    added.forEach((host) => this.#explored.add(host));
    return added.flatMap((host) => this.#exploreHost(host));
  }

  /** Returns the classes of all providers, in declaration order. */
  listClasses(): readonly object[] {
    return this.discovery
      .getProviders()
      .flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype] : []));
  }

  #exploreHost(host: InstanceWrapper): readonly HandlerHost[] {
    // An alias points to a provider that is found separately.
    if (host.isAlias) return [];
    const prototype = findPrototype(host);
    if (prototype === undefined) return [];
    const classRef = (host.isNotMetatype ? undefined : host.metatype) ?? prototype.constructor;
    const names = this.scanner.getAllMethodNames(prototype);
    const methods = names.flatMap((methodName) => this.#exploreMethod({ classRef, prototype, methodName }));
    if (methods.length === 0) return [];
    const unserved = names.filter((name) => this.#isUnserved({ classRef, prototype, methodName: name }));
    return [{ host, classRef, className: classRef.name, methods, unserved }];
  }

  #exploreMethod({ classRef, prototype, methodName }: MethodLocation): readonly DecoratedMethod[] {
    const method: unknown = Reflect.get(prototype, methodName);
    if (typeof method !== 'function') return [];
    const handlers = this.accessor.readAnnotatedHandlers(classRef, method, methodName);
    if (handlers.length === 0) return [];
    return [{ methodName, handlers, access: this.accessor.readAccess(classRef, method) }];
  }

  #isUnserved({ classRef, prototype, methodName }: MethodLocation): boolean {
    const method: unknown = Reflect.get(prototype, methodName);
    return typeof method === 'function' && this.accessor.isUnserved(classRef, method);
  }
}

/** Reads the decorators' metadata. */
export class MetadataAccessor {
  /** Returns the handlers that decorators declare on a method, in source order. */
  readHandlers(method: object): readonly HandlerMetadata[] {
    return Reflect.getMetadata(HANDLER_METADATA, method) ?? [];
  }

  /** Returns a method's handlers. Tools also receive the `@ToolAnnotations()` hints from the class and the method. */
  readAnnotatedHandlers(classRef: object, method: object, methodName: string): readonly HandlerMetadata[] {
    const handlers = this.readHandlers(method);
    const given = handlers.length === 0 ? undefined : readToolAnnotations(classRef, methodName);
    if (given === undefined) return handlers;
    return handlers.map((handler) => {
      if (handler.kind !== 'tool') return handler;
      const { options } = handler;
      return { ...handler, options: { ...options, annotations: { ...given, ...options.annotations } } };
    });
  }

  /** Returns whether a method has only access decorators, which have no effect. */
  isUnserved(classRef: object, method: object): boolean {
    return Reflect.getMetadataKeys(method).length === 0 && hasAccessMetadata(classRef, method);
  }

  /** Returns a class method's declared access. */
  readAccess(classRef: object, method: object): AccessOptions {
    return readAccessMetadata(classRef, method);
  }
}
