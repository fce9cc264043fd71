import * as check from '../../core/checks/option-checks.js';
import { asserting, type Check, type Checks, fail } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import { McpConfigurationError } from './mcp-configuration.error.js';
import { DEFAULT_SERVER } from './mcp.constants.js';

/** Settings for the module itself, which are needed before any provider exists. */
export interface McpModuleExtras {
  /** This server's key in an application with multiple servers. @default 'default' */
  readonly server?: string;
  /**
   * Makes this the default server. It serves the handlers that no `forFeature` assigns, and its providers are
   * injected if no server is named. If you mark no server, the default is the one with the key `default`, or else the
   * only one. @default false
   */
  readonly isDefault?: boolean;
  /** Makes the notifier and the catalog injectable everywhere. @default true */
  readonly isGlobal?: boolean;
  /**
   * Custom decorators for the generated controller, such as a public marker or a throttler skip. @default []
   * @see docs/pipeline.md, "Global guards and interceptors"
   */
  readonly decorators?: readonly ClassDecorator[];
  /**
   * The endpoint's guard: a class that extends `McpAuthGuard`. @default McpAuthGuard @see docs/protecting-routes.md,
   * "Customize McpAuthGuard"
   */
  readonly authGuard?: AuthGuardClass;
}

/**
 * The argument of `McpModule.forFeature()`, which assigns handlers to one of the application's servers.
 *
 * @example
 * McpModule.forFeature({ server: 'admin', includeTags: ['admin'] })
 */
export interface FeatureAssignment {
  /** The server key. */
  readonly server: string;
  /** The classes whose handlers belong to it. @default all classes that no other assignment names */
  readonly providers?: readonly ProviderClass[];
  /** Serves only handlers with one of these tags. @default all */
  readonly includeTags?: readonly string[];
  /** Excludes handlers with one of these tags. @default none */
  readonly excludeTags?: readonly string[];
}

/** A provider class, with any constructor. */
export type ProviderClass = abstract new (...dependencies: never[]) => object;

const classReference: Check = (option, value) => {
  if (typeof value !== 'function')
    check.fail(option, 'must be a class, as listed in the "providers" of a module');
};

const decorator: Check = (option, value) => {
  if (typeof value !== 'function')
    check.fail(option, 'must be a class decorator such as SetMetadata("public", true)');
};

/**
 * The module's settings other than options. `McpAuthGuard` is in a higher layer, so the guard has no default here.
 */
export const MODULE = optionGroup<McpModuleExtras, 'authGuard'>({
  server: [check.nonEmptyString, DEFAULT_SERVER],
  isDefault: [check.flag, false],
  isGlobal: [check.flag, true],
  decorators: [check.list(decorator), []],
  authGuard: guard('must be a class that extends "McpAuthGuard"'),
});

const FEATURE: Checks = {
  server: check.required(check.nonEmptyString, '"admin"'),
  providers: check.list(classReference),
  includeTags: check.nonEmptyList(check.nonEmptyString),
  excludeTags: check.nonEmptyList(check.nonEmptyString),
};

/**
 * Checks the module's settings other than options.
 *
 * @throws {McpConfigurationError} that names the first invalid setting
 */
export function assertModuleSettings(settings: unknown): asserts settings is McpModuleExtras {
  asserting(McpConfigurationError, () => MODULE.check('', settings));
}

/**
 * Checks the argument of `McpModule.forFeature`.
 *
 * @throws {McpConfigurationError} that names the first invalid property
 */
export function assertFeatureAssignment(assignment: unknown): asserts assignment is FeatureAssignment {
  asserting(McpConfigurationError, () => {
    check.assertProperties('forFeature', assignment, FEATURE);
    const { providers, includeTags, excludeTags } = assignment as Partial<FeatureAssignment>;
    if (providers !== undefined || includeTags !== undefined || excludeTags !== undefined) return;
    check.fail(
      'forFeature.providers',
      'is required: set it to a value such as [AdminTools], or set "includeTags"',
    );
  });
}

/** A guard's class. Nest injects its dependencies. */
export type AuthGuardClass = new (...dependencies: never[]) => { canActivate(context: never): unknown };

/**
 * Creates the check for a guard that is set as a class.
 *
 * @param demand the requirement
 */
export function guard(demand: string): Check {
  return (option, value) => {
    const isGuard = typeof value === 'function' && typeof value.prototype?.canActivate === 'function';
    if (!isGuard) fail(option, demand);
  };
}
