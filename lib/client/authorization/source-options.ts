import {
  type Check,
  fail,
  list,
  nonEmptyString,
  OptionError,
  string,
} from '../../core/checks/option-checks.js';
import type { NestedRows } from '../../core/checks/option-group.js';
import { findUrl, isHostName } from '../../core/oauth/secure-url.js';

/** Checks a URL in either form. Whether it is secure depends on other options. */
export const url: Check = (option, value) => {
  if (!(value instanceof URL)) nonEmptyString(option, value);
};

/** Checks hosts that may be called over plain `http`. */
export const insecureHosts: Check = (option, value) => {
  if (Array.isArray(value) && value.every(isHostName)) return;
  fail(option, 'must be an array of hosts such as "keycloak", without scheme, port or path');
};

/** Checks issuers that are known to check PKCE. */
export const assumedIssuers: Check = (option, value) => {
  if (Array.isArray(value) && value.every((issuer) => findUrl(String(issuer)) !== undefined)) return;
  fail(
    option,
    'must be an array of issuers such as "https://login.example.com", spelled as the server spells them',
  );
};

/** Checks requested scopes. */
export const scopes: Check = list(string);

/** Checks whether tokens are bound to a key, or that key. */
export const dpop: Check = (option, value) => {
  if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) return;
  fail(option, 'must be true, false or a "DpopKey"');
};

/** Checks a string, or a function that returns one. */
export const stringOrCallable: Check = (option, value) => {
  if (typeof value === 'string' || typeof value === 'function') return;
  fail(option, 'must be a string, or a function that returns one');
};

/**
 * Checks options, and returns them.
 *
 * @throws {TypeError} that names the first invalid option
 */
export function checked<Options>({ check }: NestedRows, options: Options): Options {
  try {
    check('', options);
    return options;
  } catch (error) {
    if (error instanceof OptionError) throw new TypeError(`The ${error.message}`, { cause: error });
    throw error;
  }
}
