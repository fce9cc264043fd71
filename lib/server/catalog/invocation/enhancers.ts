import type { Type, NestInterceptor } from '@nestjs/common';
import type { ParameterMetadataMap } from '../../decorators/parameter.decorators.js';
import { OWN_ENHANCER, PARAMETER_METADATA } from '../../settings/mcp.constants.js';
import { CatalogError } from '../catalog.error.js';
import type { HandlerFunction } from './direct-call.js';
import {
  CLASS_SERIALIZER_OPTIONS,
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  InstanceWrapper,
  type Module,
} from './nest-contexts.js';
import { isServedDirectly } from './parameters.js';
import { isSerializer } from './interceptors.js';
import type { ApplicationConfig } from '@nestjs/core';
import { quoteAll } from '../../../core/words/words.js';
import type {
  GlobalEnhancersSettings,
  EnhancerChoice,
  EnhancerClass,
} from '../../settings/global-enhancers-options.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';

/** The metadata keys of enhancers, each with the method that identifies such a class. */
const ENHANCERS = [
  [GUARDS_METADATA, 'canActivate'],
  [INTERCEPTORS_METADATA, 'intercept'],
  [PIPES_METADATA, 'transform'],
  [EXCEPTION_FILTERS_METADATA, 'catch'],
] as const;

/** The decorators that serializers read, keyed by their metadata keys. */
const SERIALIZER_DECORATORS: ReadonlyMap<string, string> = new Map([
  [CLASS_SERIALIZER_OPTIONS, '@SerializeOptions()'],
  ['ZOD_SERIALIZER_DTO_OPTIONS', '@ZodSerializerDto()'],
]);

/** A provider's or a controller's method. */
export interface HandlerMethod {
  readonly host: InstanceWrapper;
  /** The module that provides the host. */
  readonly module: Module;
  readonly classRef: Type;
  readonly methodName: string;
  readonly method: HandlerFunction;
}

/** A guard, interceptor, pipe or filter as written in a decorator. */
interface Declared {
  readonly enhancer: unknown;
  /** The method that identifies the enhancer. */
  readonly role: string;
}

/** Reads the method's parameter metadata. */
export function findParameters({ classRef, methodName }: HandlerMethod): ParameterMetadataMap {
  return Reflect.getMetadata(PARAMETER_METADATA, classRef, methodName) ?? {};
}

/**
 * Returns whether the method, its class or its parameters have a guard, interceptor, pipe or filter, or a parameter
 * decorator that requires Nest's chain.
 */
export function hasEnhancers(handler: HandlerMethod): boolean {
  const parameters = Object.entries(findParameters(handler));
  return (
    findDeclared(handler).length > 0 ||
    parameters.some(([key, parameter]) => !isServedDirectly(key, parameter))
  );
}

/** Returns whether a method or its class has a serializer. */
export function hasOwnSerializer(decorated: readonly object[]): boolean {
  const declared = decorated.flatMap(
    (owner): readonly unknown[] => Reflect.getMetadata(INTERCEPTORS_METADATA, owner) ?? [],
  );
  return declared.some(isSerializer);
}

/** Returns the decorator on a method or its class that configures how results are serialized. */
export function findSerializerDecorator(decorated: readonly object[]): string | undefined {
  const found = [...SERIALIZER_DECORATORS].find(([key]) =>
    decorated.some((owner) => Reflect.hasMetadata(key, owner)),
  );
  return found?.[1];
}

/**
 * Asserts that Nest can instantiate every enhancer that is declared as a class. Nest silently skips others, for
 * example on a class that a factory or a value provides, and a guard must never be skipped.
 *
 * @throws {CatalogError} if an enhancer would be skipped
 */
export function assertEnhancersResolve(handler: HandlerMethod): void {
  for (const { enhancer, role } of findDeclared(handler)) {
    if (typeof enhancer !== 'function' || role in enhancer) continue;
    if (handler.module.injectables.has(enhancer as Type)) continue;
    throw CatalogError.unresolvedEnhancer(enhancer.name);
  }
}

/** Finds the enhancers on the class, the method and its parameters, with the method that each must have. */
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

type Kind = keyof GlobalEnhancersSettings;

/** Each kind, as Nest's configuration methods name it. */
const KINDS = { guards: 'Guards', interceptors: 'Interceptors', pipes: 'Pipes', filters: 'Filters' } as const;

/**
 * The application's global enhancers that run on handlers: those selected with "globalEnhancers", and serializers,
 * without which a handler would expose what a route hides.
 */
export class GlobalEnhancers {
  /**
   * Nest's configuration without the enhancers that do not run. The application may register enhancers until it
   * starts.
   */
  readonly config: ApplicationConfig;

  constructor(
    private readonly all: ApplicationConfig,
    private readonly choices: GlobalEnhancersSettings,
  ) {
    const getters = listKinds().flatMap((kind) => [
      [`getGlobal${KINDS[kind]}`, () => this.#choose(kind, listShared(all, kind))],
      [`getGlobalRequest${KINDS[kind]}`, () => this.#choose(kind, listScoped(all, kind))],
    ]);
    this.config = Object.assign(Object.create(all) as ApplicationConfig, Object.fromEntries(getters));
  }

  /** Whether any of them run on handlers. */
  get isAny(): boolean {
    return listKinds().some((kind) => this.#choose(kind, listAll(this.all, kind)).length > 0);
  }

  /** The serializers that all calls share. */
  get serializers(): NestInterceptor[] {
    return this.config.getGlobalInterceptors().filter(isSerializer);
  }

  /** The serializers that are created per call. */
  get scopedSerializers(): readonly InstanceWrapper[] {
    return listScoped(this.config, 'interceptors').filter((wrapper) => isSerializer(classOf(wrapper)));
  }

  /** The enhancers that are created per call. */
  get scoped(): readonly InstanceWrapper[] {
    return listKinds().flatMap((kind) => listScoped(this.config, kind));
  }

  /** Returns whether an interceptor is global. */
  isGlobal(interceptor: object): boolean {
    return listAll(this.all, 'interceptors').some(
      (one) =>
        one === interceptor || (one instanceof InstanceWrapper && classOf(one) === interceptor.constructor),
    );
  }

  /**
   * Asserts that the application has every class named in the options.
   *
   * @throws {McpConfigurationError} for a class that is not a global enhancer
   */
  assertPresent(): void {
    for (const kind of listKinds()) {
      const present = listAll(this.all, kind);
      const lists: [string, readonly EnhancerClass[]][] = Object.entries(readLists(this.choices[kind]));
      const named = lists.flatMap(([list, classes]) =>
        classes.map((classRef, index) => ({ list, classRef, index })),
      );
      const absent = named.find(({ classRef }) => !present.some((enhancer) => isOf(enhancer, classRef)));
      if (absent === undefined) continue;
      const known = present.length === 0 ? 'none' : quoteAll(present.map(nameOf));
      throw new McpConfigurationError(
        `globalEnhancers.${kind}.${absent.list}[${absent.index}]`,
        `is "${absent.classRef.name}", which is not one of the global ${kind}: the application has ${known}`,
      );
    }
  }

  /** Lists the global enhancers that do not run on handlers. Returns `undefined` if all of them do. */
  listLeftOut(): string | undefined {
    const left = listKinds().flatMap((kind) => {
      const names = listAll(this.all, kind)
        .filter((enhancer) => !this.#isChosen(kind, enhancer))
        .map(nameOf);
      return names.length === 0 ? [] : [`${kind} ${quoteAll(new Set(names))}`];
    });
    return left.length === 0 ? undefined : left.join('; ');
  }

  #choose<Enhancer extends object>(kind: Kind, enhancers: readonly Enhancer[]): Enhancer[] {
    return enhancers.filter((enhancer) => this.#isChosen(kind, enhancer));
  }

  #isChosen(kind: Kind, enhancer: object): boolean {
    const choice = this.choices[kind];
    const { only = [], except } = readLists(choice);
    if (except !== undefined) return !except.some((classRef) => isOf(enhancer, classRef));
    if (choice === true || only.some((classRef) => isOf(enhancer, classRef))) return true;
    return kind === 'interceptors' && isSerializer(classOf(enhancer));
  }
}

type ClassLists = Partial<Record<'only' | 'except', readonly EnhancerClass[]>>;

function readLists(choice: EnhancerChoice): ClassLists {
  return typeof choice === 'boolean' ? {} : choice;
}

function listKinds(): readonly Kind[] {
  return Object.keys(KINDS) as Kind[];
}

function listAll(config: ApplicationConfig, kind: Kind): readonly object[] {
  return [...listShared(config, kind), ...listScoped(config, kind)];
}

/** Lists the enhancers with a single instance. */
function listShared(config: ApplicationConfig, kind: Kind): readonly object[] {
  const enhancers: readonly object[] = config[`getGlobal${KINDS[kind]}`]();
  return enhancers.filter((enhancer) => !(OWN_ENHANCER in enhancer));
}

/** Lists the providers of enhancers that are created per call. */
function listScoped(config: ApplicationConfig, kind: Kind): readonly InstanceWrapper[] {
  return config[`getGlobalRequest${KINDS[kind]}`]();
}

function isOf(enhancer: object, classRef: EnhancerClass): boolean {
  const own = classOf(enhancer);
  return own === classRef || own?.prototype instanceof classRef;
}

/**
 * Returns the class of an instance or a provider, or the class itself. The class of what a factory creates per call
 * is unknown.
 */
function classOf(enhancer: object): { readonly name: string; readonly prototype: unknown } | undefined {
  if (typeof enhancer === 'function') return enhancer;
  if (!(enhancer instanceof InstanceWrapper)) return enhancer.constructor;
  return enhancer.isNotMetatype ? undefined : (enhancer.metatype as EnhancerClass);
}

function nameOf(enhancer: object): string {
  const classRef = classOf(enhancer);
  if (classRef === undefined) return 'a factory';
  return classRef === Object || classRef.name === '' ? 'an object without a class' : classRef.name;
}
