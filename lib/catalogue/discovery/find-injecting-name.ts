import type { InjectionToken, Type } from '@nestjs/common';
import { Injector, type InstanceWrapper, type Module } from '../invocation/nest-contexts.js';

const injector = new Injector();

/** Finds the name of a provider or a controller of a module that cannot do without one of some tokens. */
export function findInjectingName(module: Module, tokens: readonly InjectionToken[]): string | undefined {
  const wrappers = [
    ...module.providers.values(),
    ...module.controllers.values(),
    ...module.injectables.values(),
  ];
  const isWanted = (dependency: unknown): boolean => tokens.some((token) => token === dependency);
  return wrappers.find((wrapper) => findDependencies(wrapper).some(isWanted))?.name;
}

function findDependencies(wrapper: InstanceWrapper): readonly unknown[] {
  const { inject, metatype } = wrapper;
  if (Array.isArray(inject)) return inject.map(readFactoryDependency);
  return typeof metatype === 'function' ? findClassDependencies(metatype as Type) : [];
}

function readFactoryDependency(dependency: unknown): unknown {
  if (typeof dependency !== 'object' || dependency === null) return dependency;
  const { token, optional } = dependency as { readonly token?: unknown; readonly optional?: boolean };
  return optional === true ? undefined : readToken(token ?? dependency);
}

function findClassDependencies(classRef: Type): readonly unknown[] {
  const optional = injector.reflectOptionalParams(classRef);
  const parameters = injector
    .reflectConstructorParams(classRef)
    .filter((_, index) => !optional.includes(index));
  const properties = injector.reflectProperties(classRef).filter(({ isOptional }) => isOptional !== true);
  return [...parameters, ...properties.map(({ name }) => name)].map(readToken);
}

/** Reads a token, which `forwardRef()` keeps in a function. */
export function readToken(token: unknown): unknown {
  if (typeof token !== 'object' || token === null) return token;
  const { forwardRef } = token as { readonly forwardRef?: () => unknown };
  return forwardRef?.();
}
