import { isPackageMissing } from './is-absent.js';

/**
 * Returns an error that explains how to install a package. If the package exists but failed to load, returns that
 * failure.
 *
 * @param name the name of the package
 * @param fault the error thrown while loading it
 * @param createError creates the error from the explanation
 * @example
 * throw explainAbsence('minisearch', cause, (needed) => new TypeError(`"search" ${needed}`, { cause }));
 */
export function explainMissingPackage(
  name: string,
  fault: unknown,
  createError: (needed: string) => Error,
  command = 'npm install',
): unknown {
  if (!isPackageMissing(name, fault)) return fault;
  return createError(`needs a package that is not installed: run "${command} ${name}"`);
}
