import type { CanActivate, Type } from '@nestjs/common';
import { GUARDS_METADATA } from '../../catalogue/invocation/nest-contexts.js';
import { McpAuthGuard } from '../mcp-auth.guard.js';

/** A guard as a decorator names it. */
type Guard = Type<CanActivate> | CanActivate;

/**
 * Names the classes of the guards that decorators put before all routes of a controller. `McpAuthGuard` is left out: it
 * lets public routes pass, and answers others with a challenge.
 */
export function nameGuards(controller: Type): readonly string[] {
  const guards = (Reflect.getMetadata(GUARDS_METADATA, controller) as readonly Guard[] | undefined) ?? [];
  const types = guards.map((guard) => (typeof guard === 'function' ? guard : guard.constructor));
  const others = types.filter((type) => type !== McpAuthGuard && !(type.prototype instanceof McpAuthGuard));
  return [...new Set(others.map(({ name }) => name))];
}
