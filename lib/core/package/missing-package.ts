import { types } from 'node:util';

/**
 * Returns an error that explains how to install a package. If the package exists but failed to load, returns that
 * failure.
 *
 * @param name the package name
 * @param problem the error thrown while loading it
 * @param createError creates the error from the explanation
 * @example
 * throw explainAbsence('minisearch', cause, (needed) => new TypeError(`"search" ${needed}`, { cause }));
 */
export function explainMissingPackage(
  name: string,
  problem: unknown,
  createError: (needed: string) => Error,
  command = 'npm install',
): unknown {
  if (!isPackageMissing(name, problem)) return problem;
  return createError(`needs a package that is not installed: run "${command} ${name}"`);
}

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/**
 * Returns whether a package could not be loaded because it is missing: in Node, or from a bundle or executable built
 * without it. A package that lacks one of its own dependencies does not count.
 *
 * @param name the package name
 * @param problem the error thrown while loading it
 */
export function isPackageMissing(name: string, problem: unknown): boolean {
  // Jest loads packages outside the realm of the tests, where `Error` is a different class. Errors from module hooks
  // are not native.
  if (!(problem instanceof Error || types.isNativeError(problem))) return false;
  const { code, message } = problem as NodeJS.ErrnoException;
  const [, missing] =
    /^(?:Cannot find (?:package|module) ['"]|Dynamic require of ['"]|No such built-in module: )([^'"]+)/.exec(
      message,
    ) ?? [];
  if (missing !== undefined) return missing === name || missing.startsWith(`${name}/`);
  return CODES.includes(code);
}
