import * as check from '../../core/checks/option-checks.js';
import { asserting, type Check, type Checks, fail } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import { McpConfigurationError } from './mcp-configuration.error.js';
import { DEFAULT_SERVER } from './mcp.constants.js';

/** Settings of the module itself. They are known before any provider exists. */
export interface McpModuleExtras {
  /** The key of this server in an application with several. @default 'default' */
  readonly server?: string;
  /**
   * Makes this the default server. It gets the handlers that no `forFeature` assigns, and is injected if no server is
   * named. If you mark no server, the default is the one with the key `default`, or else the only one. @default false
   */
  readonly isDefault?: boolean;
  /** Makes the notifier and the catalog injectable everywhere. @default true */
  readonly isGlobal?: boolean;
  /** Your own decorators for the generated controller, such as a public marker or a throttler skip. @default [] @see docs/pipeline.md, "Global guards and interceptors" */
  readonly decorators?: readonly ClassDecorator[];
  /** The guard before the endpoint: a class that extends `McpAuthGuard`. @default McpAuthGuard @see docs/authorization.md, "Before your own routes" */
  readonly authGuard?: AuthGuardClass;
}

/**
 * The argument of `McpModule.forFeature()`, which assigns handlers to one server of the application.
 *
 * @example
 * McpModule.forFeature({ server: 'admin', includeTags: ['admin'] })
 */
export interface FeatureAssignment {
  /** The key of the server. */
  readonly server: string;
  /** The classes whose handlers belong to it. @default all that no other assignment names */
  readonly providers?: readonly ProviderClass[];
  /** Serves only handlers with one of these tags. @default all */
  readonly includeTags?: readonly string[];
  /** Leaves out handlers with one of these tags. @default none */
  readonly excludeTags?: readonly string[];
}

/** A class of a provider, with any constructor. */
export type ProviderClass = abstract new (...dependencies: never[]) => object;

const classReference: Check = (option, value) => {
  if (typeof value !== 'function')
    check.fail(option, 'must be a class, as the "providers" of a module have it');
};

const decorator: Check = (option, value) => {
  if (typeof value !== 'function')
    check.fail(option, 'must be a class decorator such as SetMetadata("public", true)');
};

/** The module's settings other than options. `McpAuthGuard` is above this folder, so the guard has no default here. */
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
 * @throws {McpConfigurationError} that names the first that is wrong
 */
export function assertModuleSettings(settings: unknown): asserts settings is McpModuleExtras {
  asserting(McpConfigurationError, () => MODULE.check('', settings));
}

/**
 * Checks what `McpModule.forFeature` is given.
 *
 * @throws {McpConfigurationError} that names the first member that is wrong
 */
export function assertFeatureAssignment(assignment: unknown): asserts assignment is FeatureAssignment {
  asserting(McpConfigurationError, () => {
    check.assertProperties('forFeature', assignment, FEATURE);
    const { providers, includeTags, excludeTags } = assignment as Partial<FeatureAssignment>;
    if (providers !== undefined || includeTags !== undefined || excludeTags !== undefined) return;
    check.fail('forFeature.providers', 'is required: write for example [AdminTools], or give "includeTags"');
  });
}

/** The class of a guard. Nest injects its dependencies. */
export type AuthGuardClass = new (...dependencies: never[]) => { canActivate(context: never): unknown };

/**
 * Makes the check of a guard that is given as a class.
 *
 * @param demand what it must be
 */
export function guard(demand: string): Check {
  return (option, value) => {
    const isGuard = typeof value === 'function' && typeof value.prototype?.canActivate === 'function';
    if (!isGuard) fail(option, demand);
  };
}
