import { Scope, type InjectionToken } from '@nestjs/common';
import type { InstanceWrapper, Module } from '../invocation/nest-contexts.js';
import { findDependencies } from './find-dependencies.js';

/**
 * Finds the cycle of a provider that waits for itself. Each returned provider waits for the next, and the last one for
 * the first.
 *
 * @param redirect returns dependencies of a provider that Nest does not know
 */
export function findCycle(
  start: InstanceWrapper,
  redirect: (wrapper: InstanceWrapper) => InstanceWrapper | undefined,
): readonly InstanceWrapper[] | undefined {
  const visited = new Set<InstanceWrapper>();
  function follow(path: readonly InstanceWrapper[], current: InstanceWrapper): typeof path | undefined {
    const here = [...path, current];
    const redirected = redirect(current);
    for (const next of redirected === undefined ? findAwaited(current) : [redirected]) {
      if (next === start) return here;
      if (visited.has(next)) continue;
      visited.add(next);
      const found = follow(here, next);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return follow([], start);
}

/** Nest hands out what defers a dependency before it is made, and makes nothing of a request when it starts. */
function findAwaited(wrapper: InstanceWrapper): readonly InstanceWrapper[] {
  const { host, scope } = wrapper;
  const dependencies = findDependencies(wrapper);
  const isAwaiting = scope !== Scope.REQUEST && !dependencies.some(({ isDeferred }) => isDeferred);
  if (host === undefined || !isAwaiting) return [];
  return dependencies.flatMap(({ token }) => findProvider(host, token as InjectionToken) ?? []);
}

/** Finds the provider that Nest injects for a token: one of the module, or one that its imports export. */
function findProvider(module: Module, token: InjectionToken): InstanceWrapper | undefined {
  return module.providers.get(token) ?? findImported([...module.imports], token, new Set());
}

function findImported(
  imports: readonly Module[],
  token: InjectionToken,
  visited: Set<Module>,
): InstanceWrapper | undefined {
  for (const module of imports) {
    if (visited.has(module)) continue;
    visited.add(module);
    const own = module.exports.has(token) ? module.providers.get(token) : undefined;
    const found = own ?? findImported(findExported(module), token, visited);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the modules that a module exports as it has them. */
function findExported({ imports, exports }: Module): readonly Module[] {
  return [...imports].filter(({ metatype }) => exports.has(metatype));
}
