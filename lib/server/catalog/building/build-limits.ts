import {
  assertMembers,
  fail,
  milliseconds,
  positive,
  type Check,
} from '../../../core/checks/option-checks.js';
import { resultBytes as checkResultBytes } from '../../settings/limit-options.js';
import type { ConcurrencyOptions } from '../../settings/concurrency-options.interface.js';
import type { CatalogEntry } from '../entries.js';

/** What options may say of limits. */
export interface LimitedOptions {
  readonly concurrency?: ConcurrencyOptions | undefined;
  readonly resultBytes?: number | undefined;
}

/** Checks how many calls may run at once. */
export const concurrencyCheck: Check = (option, value) => {
  assertMembers(option, value, { maxPerCaller: positive, max: positive, queue });
  const { maxPerCaller, max } = value as ConcurrencyOptions;
  if (maxPerCaller === undefined && max === undefined)
    fail(option, 'must have "max", "maxPerCaller" or both');
};

const queue: Check = (option, value) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return;
  if (typeof value === 'number') fail(option, 'must be a whole number, 0 or greater');
  assertMembers(option, value, { length: positive, timeoutMs: milliseconds });
};

/**
 * Builds the limits of an entry. The result is empty if its options do not set them.
 *
 * @throws {OptionError} that names the first option that is wrong
 */
export function buildLimits({
  concurrency,
  resultBytes,
}: LimitedOptions): Pick<CatalogEntry, 'concurrency' | 'resultBytes'> {
  if (concurrency !== undefined) concurrencyCheck('concurrency', concurrency);
  if (resultBytes !== undefined) checkResultBytes('resultBytes', resultBytes);
  return {
    ...(concurrency !== undefined && { concurrency }),
    ...(resultBytes !== undefined && { resultBytes }),
  };
}
