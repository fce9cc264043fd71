import { type Check, fail, list } from '../../../core/checks/option-checks.js';
import { isHostName, isSecureUrl } from '../../../core/oauth/secure-url.js';

/** Exceptions for authorization servers that the standards do not allow. */
export interface IssuerExceptions {
  readonly insecureHosts: readonly string[];
  readonly ignoreIssuerSlash: boolean;
}

/** The server settings that the settings of validators depend on. */
export interface IssuerContext extends IssuerExceptions {
  readonly authorizationServers: readonly string[];
  readonly audiences: readonly string[];
  /** Whether the server checks proofs of the keys that tokens are bound to. */
  readonly takesDpop: boolean;
}

/** The checks of URLs that keys and secrets travel by. */
export interface UrlChecks {
  readonly secureUrl: Check;
  /** An issuer whose keys are looked up where it is. */
  readonly issuerUrl: Check;
}

const EXCEPTIONS = '"http:" is for this machine alone, and for hosts that "auth.insecureHosts" names';

/** Creates the checks for the hosts that the option `auth` names, right or wrong. */
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
        `must be an "https:" URL, where its keys are looked up, or stand beside "jwksUrl"; ${EXCEPTIONS}`,
      );
    },
  };
}

const host: Check = (option, value) => {
  if (!isHostName(value)) fail(option, 'must be a host such as "keycloak", without scheme, port and path');
};

/** Checks the hosts that are named for plain `http`. */
export const insecureHosts: Check = list(host);

/** Makes a list of what may be one or several. */
export function listOf<Item>(value: Item | readonly Item[] | undefined): readonly Item[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Item[]) : [value as Item];
}
