import type { InjectionToken, Type } from '@nestjs/common';
import { type ModuleRef, ModulesContainer } from '@nestjs/core';
import { Injector, type InstanceWrapper } from '../invocation/nest-contexts.js';
import { findPrototype } from '../../../core/classes/find-prototype.js';

/** A provider's or a controller's declared dependency. */
export interface Dependency {
  readonly token: unknown;
  /** Whether it does without. */
  readonly isOptional: boolean;
  /** Whether `forwardRef()` defers it. */
  readonly isDeferred: boolean;
}

const injector = new Injector();

/**
 * Finds the dependencies of a provider or a controller: its constructor parameters, injected properties or factory
 * parameters.
 */
export function findDependencies({ inject, metatype }: InstanceWrapper): readonly Dependency[] {
  if (Array.isArray(inject)) return inject.map(readFactoryDependency);
  return typeof metatype === 'function' ? findClassDependencies(metatype as Type) : [];
}

function readFactoryDependency(dependency: unknown): Dependency {
  if (typeof dependency !== 'object' || dependency === null) return describe(dependency);
  const { token, optional } = dependency as { readonly token?: unknown; readonly optional?: boolean };
  return describe(token ?? dependency, optional);
}

function findClassDependencies(classRef: Type): readonly Dependency[] {
  const optional = injector.reflectOptionalParams(classRef);
  const parameters: readonly unknown[] = injector.reflectConstructorParams(classRef);
  return [
    ...parameters.map((token, index) => describe(token, optional.includes(index))),
    ...injector.reflectProperties(classRef).map(({ name, isOptional }) => describe(name, isOptional)),
  ];
}

function describe(given: unknown, isOptional = false): Dependency {
  const token = readToken(given);
  return { token, isOptional, isDeferred: token !== given };
}

/** Reads a token, which `forwardRef()` wraps in a function. */
export function readToken(token: unknown): unknown {
  if (typeof token !== 'object' || token === null) return token;
  const { forwardRef } = token as { readonly forwardRef?: () => InjectionToken };
  return forwardRef?.();
}

/** Finds a provider's class. For a factory or a value, it is the instance's class. */
export function findClass(host: InstanceWrapper): Type | undefined {
  const found: unknown = host.isNotMetatype ? findPrototype(host)?.constructor : host.metatype;
  return (found ?? undefined) as Type | undefined;
}

/** Finds what all modules provide for a token. If they provide nothing, `app.get()` would end the process. */
export function findProvided<Provided>(
  app: Pick<ModuleRef, 'get'>,
  token: InjectionToken<Provided>,
): readonly Provided[] {
  const modules = [...app.get(ModulesContainer, { strict: false }).values()];
  const hosts = modules.flatMap(({ providers }) => providers.get(token) ?? []);
  return hosts.map(({ instance }) => instance as Provided);
}
