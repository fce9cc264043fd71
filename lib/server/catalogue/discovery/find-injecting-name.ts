import type { InjectionToken } from '@nestjs/common';
import type { Module } from '../invocation/nest-contexts.js';
import { findDependencies, type Dependency } from './find-dependencies.js';

/** Finds the name of a provider or a controller of a module that cannot do without one of some tokens. */
export function findInjectingName(module: Module, tokens: readonly InjectionToken[]): string | undefined {
  const wrappers = [
    ...module.providers.values(),
    ...module.controllers.values(),
    ...module.injectables.values(),
  ];
  const isWanted = ({ token, isOptional }: Dependency): boolean =>
    !isOptional && tokens.some((wanted) => wanted === token);
  return wrappers.find((wrapper) => findDependencies(wrapper).some(isWanted))?.name;
}
