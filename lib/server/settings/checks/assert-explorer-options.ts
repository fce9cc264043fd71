import { assertMembers, fail, flag, type Check, type Checks } from '../../../core/checks/option-checks.js';
import type { ExplorerOptions } from '../explorer-options.interface.js';
import { guard } from './guard-check.js';

const EXPLORER: Checks = {
  guard: guard('must be a class with a method "canActivate"'),
  loginRelay: flag,
};

/** Checks the option of the page at the endpoint: in production somebody has to say who is shown it. */
export const assertExplorerOptions: Check = (option, value) => {
  if (typeof value !== 'boolean') assertMembers(option, value, EXPLORER);
  if (value === false || process.env['NODE_ENV'] !== 'production') return;
  if (typeof value === 'object' && (value as ExplorerOptions).guard !== undefined) return;
  fail(`${option}.guard`, 'is required where NODE_ENV is "production": give a guard, or leave the page out');
};
