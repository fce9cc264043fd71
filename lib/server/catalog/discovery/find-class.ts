import type { Type } from '@nestjs/common';
import { findPrototype } from '../../../core/classes/find-prototype.js';
import type { InstanceWrapper } from '../invocation/nest-contexts.js';

/** Finds the class, which for what a factory or a value provides is that of the instance. */
export function findClass(host: InstanceWrapper): Type | undefined {
  const found: unknown = host.isNotMetatype ? findPrototype(host)?.constructor : host.metatype;
  return (found ?? undefined) as Type | undefined;
}
