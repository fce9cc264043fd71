import { fail, type Check } from '../../../core/checks/option-checks.js';

/** Less has no room for what says that something was cut. */
const LEAST = 1024;

/** Checks how long an answer may be. */
export const resultBytes: Check = (option, value) => {
  if (Number.isSafeInteger(value) && Number(value) >= LEAST) return;
  fail(option, `must be a whole number of bytes, ${LEAST} or more`);
};
