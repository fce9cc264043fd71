import type { ApplicationConfig } from '@nestjs/core';
import { GUARDS_METADATA } from '../../catalogue/invocation/nest-contexts.js';
import type { ThrottlerPackage } from './load-throttler.js';

/** A guard as decorators and the application name it. */
type Guard = object | ((...dependencies: never[]) => unknown);

/** Tells whether one of these guards is the package's, or extends it. */
function isThrottling({ ThrottlerGuard }: ThrottlerPackage, guards: readonly Guard[]): boolean {
  return guards.some((guard) => {
    if (guard instanceof ThrottlerGuard || guard === ThrottlerGuard) return true;
    return typeof guard === 'function' && guard.prototype instanceof ThrottlerGuard;
  });
}

/** Tells whether the application has put a guard of the package on a method or its class: that counts the calls then. */
export function hasOwnThrottler(throttler: ThrottlerPackage, decorated: readonly object[]): boolean {
  const guards = decorated.flatMap(
    (owner): readonly Guard[] => Reflect.getMetadata(GUARDS_METADATA, owner) ?? [],
  );
  return isThrottling(throttler, guards);
}

/** Tells whether the application has a guard of the package for all routes, and for handlers if they have global guards. */
export function hasGlobalThrottler(throttler: ThrottlerPackage, config: ApplicationConfig): boolean {
  const scoped = config.getGlobalRequestGuards().map(({ metatype }) => metatype as Guard);
  return isThrottling(throttler, [...config.getGlobalGuards(), ...scoped]);
}
