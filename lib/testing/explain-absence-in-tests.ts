import { explainMissingPackage } from '../core/package/missing-package.js';

/**
 * Returns an error that explains how to install a package for tests. If the package exists but failed to load, returns
 * that failure.
 *
 * @param user the class or entry that needs the package
 */
export function explainMissingTestPackage(user: string, name: string, cause: unknown): unknown {
  const createError = (needed: string): Error => new Error(`"${user}" ${needed}`, { cause });
  return explainMissingPackage(name, cause, createError, 'npm install --save-dev');
}
