import { fail, members, positive, type Check } from '../../../core/checks/option-checks.js';
import { buildStateSettings } from '../build-state-settings.js';
import type { StateOptions } from '../state-options.interface.js';

const MEMBERS = members({
  ttlMs: positive,
  valueBytes: positive,
  maximumBytes: positive,
  maximumHandles: positive,
  maximumAnonymousHandles: positive,
});

/** Checks the bounds of what handlers keep for callers. */
export const assertStateOptions: Check = (option, value) => {
  MEMBERS(option, value);
  const { valueBytes, maximumBytes } = buildStateSettings(value as StateOptions);
  if (valueBytes > maximumBytes) {
    fail(`${option}.maximumBytes`, `must be at least "valueBytes", which is ${valueBytes}`);
  }
};
