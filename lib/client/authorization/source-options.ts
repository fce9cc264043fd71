import { fail, list, string, text, type Check } from '../../core/checks/option-checks.js';
import type { NestedRows } from '../../core/checks/option-group.js';
import { OptionError } from '../../core/checks/option.error.js';
import { findUrl } from '../../core/oauth/find-url.js';
import { isHostName } from '../../core/oauth/secure-url.js';
import { quoteAll } from '../../core/words/quote-all.js';

/** Checks a URL in either form. Whether it is secure depends on other options. */
export const url: Check = (option, value) => {
  if (!(value instanceof URL)) text(option, value);
};

/** Checks hosts that may be called by plain `http`. */
export const insecureHosts: Check = (option, value) => {
  if (Array.isArray(value) && value.every(isHostName)) return;
  fail(option, 'must be an array of hosts such as "keycloak", without scheme, port and path');
};

/** Checks issuers that are known to check PKCE. */
export const assumedIssuers: Check = (option, value) => {
  if (Array.isArray(value) && value.every((issuer) => findUrl(String(issuer)) !== undefined)) return;
  fail(option, 'must be an array of issuers such as "https://login.example.com", as the server names them');
};

/** Checks scopes that are asked for. */
export const scopes: Check = list(string);

/** Checks whether tokens are bound to a key, or that key. */
export const dpop: Check = (option, value) => {
  if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) return;
  fail(option, 'must be true, false or a "DpopKey"');
};

/** Checks a text, or what gets one. */
export const textOrCallable: Check = (option, value) => {
  if (typeof value === 'string' || typeof value === 'function') return;
  fail(option, 'must be a string, or a function that returns one');
};

/**
 * Checks options, and returns them.
 *
 * @throws {TypeError} that names the first option that is wrong
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

/** The exits from safe defaults of a client. */
interface ClientExits {
  readonly insecureHosts?: readonly string[] | undefined;
  readonly ignoreIssuerSlash?: boolean | undefined;
  readonly assumeS256?: readonly string[] | undefined;
  readonly assertionAudience?: string | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Nobody has this many settings. Further ones are not listed. */
const MOST_WARNINGS = 100;

/** What this process was told already: sources are created for each user, and the line is about the program. */
const told = new Set<string>();

/** Tells, when a client is created, which defaults it gives up. */
export function warnOfExits(exits: ClientExits): void {
  const { onWarning = warnOnce } = exits;
  for (const text of describeExits(exits)) onWarning(text);
}

function warnOnce(text: string): void {
  if (told.has(text) || told.size >= MOST_WARNINGS) return;
  told.add(text);
  process.emitWarning(text, { type: 'McpClientWarning' });
}

function describeExits(exits: ClientExits): readonly string[] {
  const { insecureHosts = [], assumeS256 = [] } = exits;
  const texts: string[] = [];
  if (insecureHosts.length > 0) {
    texts.push(
      `"insecureHosts" has ${quoteAll(insecureHosts)}: tokens and secrets travel there by "http", and anyone on the network path can read them`,
    );
  }
  if (exits.ignoreIssuerSlash === true) {
    texts.push(
      '"ignoreIssuerSlash" is true: issuers that differ by a slash at the end are taken for the same',
    );
  }
  if (assumeS256.length > 0) {
    texts.push(
      `"assumeS256" has ${quoteAll(assumeS256)}: codes of a login there can be stolen if it does not check PKCE with S256`,
    );
  }
  if (exits.assertionAudience === 'token_endpoint') {
    texts.push(
      '"assertionAudience" is "token_endpoint": assertions name a URL that another authorization server could claim as its own',
    );
  }
  return texts;
}
