import { asserting } from '../../../core/checks/asserting.js';
import { assertMembers, fail, type Check, type Checks } from '../../../core/checks/option-checks.js';
import { McpConfigurationError } from '../mcp-configuration.error.js';
import { MODULE_SETTINGS_CHECKS } from './assert-module-settings.js';
import { OPTION_NAMES } from './assert-options.js';

const anything: Check = () => undefined;

/** Where options come from, in the order of preference. */
const SOURCES = ['useFactory', 'useClass', 'useExisting'] as const;

const ASYNC_OPTIONS: Checks = {
  ...MODULE_SETTINGS_CHECKS,
  imports: anything,
  inject: anything,
  provideInjectionTokensFrom: anything,
  ...Object.fromEntries(SOURCES.map((source) => [source, anything])),
};

/**
 * Checks what `McpModule.forRootAsync` is given.
 *
 * @throws {McpConfigurationError} that names the first member that is wrong
 */
export function assertAsyncOptions(options: unknown): asserts options is object {
  asserting(McpConfigurationError, () => checkAsyncOptions(options));
}

function checkAsyncOptions(options: unknown): void {
  const given: object = Object(options);
  const misplaced = OPTION_NAMES.find((name) => Object.hasOwn(given, name));
  if (misplaced !== undefined) fail(misplaced, 'must be in the result of the factory, not beside it');
  assertMembers('', given, ASYNC_OPTIONS);
  const hasSource = SOURCES.some((source) => Reflect.get(given, source) !== undefined);
  if (!hasSource) {
    fail(
      'useFactory',
      'is required: write for example () => ({ serverInfo: { name: "desk", version: "1.0.0" } }), or give "useClass" or "useExisting"',
    );
  }
}
