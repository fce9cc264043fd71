import { asserting } from '../../../core/checks/asserting.js';
import {
  assertMembers,
  fail,
  flag,
  list,
  required,
  several,
  text,
  type Check,
  type Checks,
} from '../../../core/checks/option-checks.js';
import type { FeatureAssignment } from '../feature-assignment.interface.js';
import { McpConfigurationError } from '../mcp-configuration.error.js';
import type { McpModuleExtras } from '../mcp-options.interface.js';
import { guard } from './guard-check.js';

const classReference: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a class, as the "providers" of a module have it');
};

const decorator: Check = (option, value) => {
  if (typeof value !== 'function')
    fail(option, 'must be a class decorator such as SetMetadata("public", true)');
};

/** The checks of the module's settings other than options. */
export const MODULE_SETTINGS_CHECKS: Readonly<Record<keyof McpModuleExtras, Check>> = {
  server: text,
  isDefault: flag,
  isGlobal: flag,
  decorators: list(decorator),
  authGuard: guard('must be a class that extends "McpAuthGuard"'),
};

const FEATURE: Checks = {
  server: required(text, '"admin"'),
  providers: list(classReference),
  includeTags: several(text),
  excludeTags: several(text),
};

/**
 * Checks the module's settings other than options.
 *
 * @throws {McpConfigurationError} that names the first that is wrong
 */
export function assertModuleSettings(settings: unknown): asserts settings is McpModuleExtras {
  asserting(McpConfigurationError, () => assertMembers('', settings, MODULE_SETTINGS_CHECKS));
}

/**
 * Checks what `McpModule.forFeature` is given.
 *
 * @throws {McpConfigurationError} that names the first member that is wrong
 */
export function assertFeatureAssignment(assignment: unknown): asserts assignment is FeatureAssignment {
  asserting(McpConfigurationError, () => {
    assertMembers('forFeature', assignment, FEATURE);
    const { providers, includeTags, excludeTags } = assignment as Partial<FeatureAssignment>;
    if (providers !== undefined || includeTags !== undefined || excludeTags !== undefined) return;
    fail('forFeature.providers', 'is required: write for example [AdminTools], or give "includeTags"');
  });
}
