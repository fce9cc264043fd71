import { OptionError } from './option.error.js';

/** Builds what a module throws for an option that is wrong. */
export type OptionErrorClass = new (option: string, expected: string, options?: ErrorOptions) => Error;

/**
 * Runs checks, and rethrows the first failure as the module's own error.
 *
 * @throws {Error} the module's own, for the first option that is wrong
 */
export function asserting(ModuleError: OptionErrorClass, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof OptionError) throw new ModuleError(error.option, error.expected);
    throw error;
  }
}
