import type { Type } from '@nestjs/common';
import type { InstanceWrapper } from '../invocation/nest-contexts.js';

/** Finds the prototype without an instance, which request-scoped and transient classes do not have yet. */
export function findPrototype(host: InstanceWrapper): object | undefined {
  if (!host.isNotMetatype) return host.metatype?.prototype;
  const instance: unknown = host.instance;
  if (typeof instance !== 'object' || instance === null) return undefined;
  const prototype: object | null = Object.getPrototypeOf(instance);
  return prototype === null || prototype === Object.prototype ? undefined : prototype;
}

/** Finds the class, which for what a factory or a value provides is that of the instance. */
export function findClass(host: InstanceWrapper): Type | undefined {
  const found: unknown = host.isNotMetatype ? findPrototype(host)?.constructor : host.metatype;
  return (found ?? undefined) as Type | undefined;
}
