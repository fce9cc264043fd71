import type { Type } from '@nestjs/common';
import type { ParameterMetadataMap } from '../../decorators/parameter-metadata.js';
import { PARAMETER_METADATA } from '../../settings/mcp.constants.js';
import { CatalogError } from '../catalog.error.js';
import type { HandlerFunction } from './direct-call.js';
import {
  CLASS_SERIALIZER_OPTIONS,
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  type InstanceWrapper,
  type Module,
} from './nest-contexts.js';
import { isServedDirectly } from './parameters.js';
import { isSerializer } from './serializers.js';

/** The metadata keys of enhancers, each with the method that makes a class one. */
const ENHANCERS = [
  [GUARDS_METADATA, 'canActivate'],
  [INTERCEPTORS_METADATA, 'intercept'],
  [PIPES_METADATA, 'transform'],
  [EXCEPTION_FILTERS_METADATA, 'catch'],
] as const;

/** Decorators that serializers read, by their metadata keys. */
const SERIALIZER_DECORATORS: ReadonlyMap<string, string> = new Map([
  [CLASS_SERIALIZER_OPTIONS, '@SerializeOptions()'],
  ['ZOD_SERIALIZER_DTO_OPTIONS', '@ZodSerializerDto()'],
]);

/** A method of a provider or a controller. */
export interface HandlerMethod {
  readonly host: InstanceWrapper;
  /** Where the host is provided. */
  readonly module: Module;
  readonly classRef: Type;
  readonly methodName: string;
  readonly method: HandlerFunction;
}

/** A guard, interceptor, pipe or filter as a decorator names it. */
interface Declared {
  readonly enhancer: unknown;
  /** The method that makes an object one. */
  readonly role: string;
}

/** Reads what decorators say of the method's parameters. */
export function findParameters({ classRef, methodName }: HandlerMethod): ParameterMetadataMap {
  return Reflect.getMetadata(PARAMETER_METADATA, classRef, methodName) ?? {};
}

/**
 * Tells whether the method, its class or its parameters have a guard, interceptor, pipe or filter. Also tells so if a
 * parameter has a decorator that only Nest's chain can serve.
 */
export function hasEnhancers(handler: HandlerMethod): boolean {
  const parameters = Object.entries(findParameters(handler));
  return (
    findDeclared(handler).length > 0 ||
    parameters.some(([key, parameter]) => !isServedDirectly(key, parameter))
  );
}

/** Tells whether decorators of a method or its class name a serializer. */
export function hasOwnSerializer(decorated: readonly object[]): boolean {
  const declared = decorated.flatMap(
    (owner): readonly unknown[] => Reflect.getMetadata(INTERCEPTORS_METADATA, owner) ?? [],
  );
  return declared.some(isSerializer);
}

/** Returns the decorator of a method or its class that says how results are serialized. */
export function findSerializerDecorator(decorated: readonly object[]): string | undefined {
  const found = [...SERIALIZER_DECORATORS].find(([key]) =>
    decorated.some((owner) => Reflect.hasMetadata(key, owner)),
  );
  return found?.[1];
}

/**
 * Makes sure that Nest can make every enhancer that is given as a class. It skips enhancers that it cannot make, as on a
 * class that a factory or a value provides. A guard must not be lost that way.
 *
 * @throws {CatalogError} when an enhancer would be skipped
 */
export function assertEnhancersResolve(handler: HandlerMethod): void {
  for (const { enhancer, role } of findDeclared(handler)) {
    if (typeof enhancer !== 'function' || role in enhancer) continue;
    if (handler.module.injectables.has(enhancer as Type)) continue;
    throw CatalogError.unresolvedEnhancer(enhancer.name);
  }
}

/** Finds what the decorators of the class, the method and its parameters name, with the method each must have. */
function findDeclared(handler: HandlerMethod): readonly Declared[] {
  const { classRef, method } = handler;
  const declared = ENHANCERS.flatMap(([key, role]) =>
    [classRef, method].flatMap((owner) => {
      const enhancers: readonly unknown[] = Reflect.getMetadata(key, owner) ?? [];
      return enhancers.map((enhancer) => ({ enhancer, role }));
    }),
  );
  const pipes = Object.values(findParameters(handler)).flatMap((parameter) => parameter.pipes ?? []);
  return [...declared, ...pipes.map((enhancer) => ({ enhancer, role: 'transform' }))];
}
