import type { ModuleRef } from '@nestjs/core';
import type * as Throttler from '@nestjs/throttler';
import { explainMissingPackage } from '../../core/package/missing-package.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';

/** The package that counts calls, `@nestjs/throttler`. */
export type ThrottlerPackage = typeof Throttler;

/** The application's configuration of the package. */
export interface ThrottlerParts {
  readonly options: Throttler.ThrottlerModuleOptions;
  readonly storage: Throttler.ThrottlerStorage;
}

/**
 * The injection token for the options. It reveals whether the application imports `ThrottlerModule`, without loading
 * the package.
 */
const OPTIONS_TOKEN = 'THROTTLER:MODULE_OPTIONS';

/** Finds the options of the application's `ThrottlerModule`. Returns `undefined` if it has none. */
export function findThrottlerOptions(moduleRef: ModuleRef): Throttler.ThrottlerModuleOptions | undefined {
  try {
    return moduleRef.get<Throttler.ThrottlerModuleOptions>(OPTIONS_TOKEN, { strict: false });
  } catch {
    return undefined;
  }
}

/**
 * Loads the package. Bundlers recognize an optional dependency by the `try`.
 *
 * @throws {McpConfigurationError} if it is not installed, or not in the bundle
 */
export async function loadThrottler(): Promise<ThrottlerPackage> {
  try {
    return await import('@nestjs/throttler');
  } catch (cause) {
    const explain = (needed: string): Error => new McpConfigurationError('throttle', needed, { cause });
    throw explainMissingPackage('@nestjs/throttler', cause, explain);
  }
}

/** Returns the storage of the application's `ThrottlerModule`. */
export function getThrottlerStorage(
  moduleRef: ModuleRef,
  { getStorageToken }: ThrottlerPackage,
): Throttler.ThrottlerStorage {
  return moduleRef.get<Throttler.ThrottlerStorage>(getStorageToken(), { strict: false });
}

/** Lists the names of the configured throttlers. */
export function nameThrottlers(options: Throttler.ThrottlerModuleOptions): readonly string[] {
  const throttlers = Array.isArray(options) ? options : options.throttlers;
  return throttlers.map(({ name = 'default' }) => name);
}

/** The prefixes of the `@nestjs/throttler` metadata keys. A throttler name follows. */
const LIMIT = 'THROTTLER:LIMIT';
const SKIP = 'THROTTLER:SKIP';

/** Where decorators are read: a method, its class, or both. */
type Decorated = readonly object[];

/** Finds the throttlers that `@Throttle()` names. */
export function findThrottled(decorated: Decorated): readonly string[] {
  return findNames(decorated, LIMIT);
}

/** Finds the throttlers that `@SkipThrottle()` names, whether they are skipped or not. */
export function findSkipped(decorated: Decorated): readonly string[] {
  return findNames(decorated, SKIP);
}

/** Subclasses inherit metadata. */
function findNames(decorated: Decorated, prefix: string): readonly string[] {
  return decorated
    .flatMap((owner) => Reflect.getMetadataKeys(owner) as readonly unknown[])
    .filter((key) => typeof key === 'string' && key.startsWith(prefix))
    .map((key) => String(key).slice(prefix.length));
}
