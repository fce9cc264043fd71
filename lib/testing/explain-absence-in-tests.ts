import { explainAbsence } from '../core/package/explain-absence.js';

/**
 * Returns the error that says how to install a package for tests alone. If the package is there and failed to load, returns
 * that failure.
 *
 * @param user what needs the package
 */
export function explainAbsenceInTests(user: string, name: string, cause: unknown): unknown {
  const createError = (needed: string): Error => new Error(`"${user}" ${needed}`, { cause });
  return explainAbsence(name, cause, createError, 'npm install --save-dev');
}
