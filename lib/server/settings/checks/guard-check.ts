import { fail, type Check } from '../../../core/checks/option-checks.js';

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
