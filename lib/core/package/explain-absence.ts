import { isAbsent } from './is-absent.js';

/**
 * Returns the error that says how to install a package. If the package is there and failed to load, returns that failure.
 *
 * @param name the package, as it is installed
 * @param fault what loading it threw
 * @param createError makes the error from what is needed
 * @example
 * throw explainAbsence('minisearch', cause, (needed) => new TypeError(`"search" ${needed}`, { cause }));
 */
export function explainAbsence(
  name: string,
  fault: unknown,
  createError: (needed: string) => Error,
  command = 'npm install',
): unknown {
  if (!isAbsent(name, fault)) return fault;
  return createError(`needs a package that is not installed: run "${command} ${name}"`);
}
