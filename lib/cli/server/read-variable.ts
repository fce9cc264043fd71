import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';

/**
 * Reads what an option names the variable of.
 *
 * @throws {UsageError} where it is empty
 */
export function readVariable(name: string, environment: Terminal['environment']): string {
  const value = environment[name] ?? '';
  if (value !== '') return value;
  throw new UsageError(`The variable "${name}" must have what the option is about, and is empty`);
}
