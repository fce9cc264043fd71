import type { OnModuleInit } from '@nestjs/common';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { findPrototype } from '../../core/classes/find-prototype.js';
import { CatalogError } from '../catalog/catalog.error.js';
import type { InstanceWrapper } from '../catalog/invocation/nest-contexts.js';
import { readClassAccess, readMethodAccess } from '../decorators/access.decorators.js';
import { CONTENTS_METHOD } from '../settings/extensions/skills-options.js';
import { EVENT_SOURCE_METADATA, HANDLER_METADATA, SKILL_METADATA } from '../settings/mcp.constants.js';

/** The metadata of methods that serve requests. */
const SERVED = [HANDLER_METADATA, EVENT_SOURCE_METADATA, SKILL_METADATA];

interface Method {
  readonly name: string;
  readonly method: object;
}

/** Rejects `@Concurrency()` where it has no effect, because its author relies on the limit. */
export class MisplacedConcurrency implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws {CatalogError} if `@Concurrency()` is on something that is not a handler, such as a route or a method that an extension calls */
  onModuleInit(): void {
    for (const host of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const prototype = host.isAlias ? undefined : findPrototype(host);
      if (prototype !== undefined) this.#assertPlaced(host, prototype);
    }
  }

  #assertPlaced(host: InstanceWrapper, prototype: object): void {
    const classRef = (host.isNotMetatype ? undefined : host.metatype) ?? prototype.constructor;
    // A skill is the whole class, whichever of its methods returns the contents.
    const isSkill = Reflect.hasOwnMetadata(SKILL_METADATA, classRef);
    // Event sources reject the decorator themselves.
    const isServed = ({ name, method }: Method): boolean =>
      SERVED.some((key) => Reflect.hasMetadata(key, method)) || (isSkill && name === CONTENTS_METHOD);
    const methods = this.#listMethods(prototype);
    // Limits are rare. Methods are checked first because that is cheaper.
    const misplaced = methods.find(
      (one) => readMethodAccess(classRef, one.method).concurrency !== undefined && !isServed(one),
    );
    if (misplaced !== undefined) {
      throw refuse(
        `${classRef.name}.${misplaced.name}`,
        'the method is not a handler: put it on a method with a decorator such as @Tool()',
      );
    }
    if (readClassAccess(classRef).concurrency === undefined || isSkill || methods.some(isServed)) return;
    throw refuse(classRef.name, 'the class has no handlers: put it on a class that does');
  }

  #listMethods(prototype: object): readonly Method[] {
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method: unknown = Reflect.get(prototype, name);
      return typeof method === 'function' ? [{ name, method }] : [];
    });
  }
}

function refuse(place: string, explanation: string): CatalogError {
  return CatalogError.invalid(`@Concurrency() on "${place}" has no effect, because ${explanation}`);
}
