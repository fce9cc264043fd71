import { type Check, fail, list } from '../../../core/checks/option-checks.js';
import { isHostName, isSecureUrl } from '../../../core/oauth/secure-url.js';

/** Exceptions, beyond the standards, for authorization servers. */
export interface IssuerExceptions {
  readonly insecureHosts: readonly string[];
  readonly ignoreIssuerSlash: boolean;
}

/** The server settings that validator settings depend on. */
export interface IssuerContext extends IssuerExceptions {
  readonly authorizationServers: readonly string[];
  readonly audiences: readonly string[];
  /** Whether the server checks proofs of the keys that tokens are bound to. */
  readonly takesDpop: boolean;
}

/** The checks on URLs over which keys and secrets are sent. */
export interface UrlChecks {
  readonly secureUrl: Check;
  /** An issuer whose keys are looked up at its URL. */
  readonly issuerUrl: Check;
}

const EXCEPTIONS = '"http:" is allowed only for this machine and for hosts in "auth.insecureHosts"';

/** Creates the checks for the hosts listed in the `auth` option, valid or not. */
export function createUrlChecks(auth: unknown): UrlChecks {
  const { insecureHosts: named } = Object(auth) as { readonly insecureHosts?: unknown };
  const hosts = Array.isArray(named) ? named.filter(isHostName) : [];
  return {
    secureUrl: (option, value) => {
      if (!isSecureUrl(value, hosts)) fail(option, `must be an "https:" URL; ${EXCEPTIONS}`);
    },
    issuerUrl: (option, value) => {
      if (isSecureUrl(value, hosts)) return;
      fail(
        option,
        `must be an "https:" URL from which its keys are fetched, or be used with "jwksUrl"; ${EXCEPTIONS}`,
      );
    },
  };
}

const host: Check = (option, value) => {
  if (!isHostName(value)) fail(option, 'must be a host such as "keycloak", without scheme, port and path');
};

/** Checks the hosts listed for plain `http`. */
export const insecureHosts: Check = list(host);

/** Converts one or several values to a list. */
export function listOf<Item>(value: Item | readonly Item[] | undefined): readonly Item[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Item[]) : [value as Item];
}
