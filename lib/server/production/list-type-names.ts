import type { ModulesContainer } from '@nestjs/core';

/** Lists the names of the classes of an application's modules, controllers and providers. */
export function listTypeNames(modules: ModulesContainer): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { metatype, controllers, providers } of modules.values()) {
    names.add(metatype.name);
    for (const { metatype: type, instance } of [...controllers.values(), ...providers.values()]) {
      if (typeof type === 'function') names.add(type.name);
      const made = (instance as object | null | undefined)?.constructor;
      if (typeof made === 'function') names.add(made.name);
    }
  }
  return names;
}
