import type { AuthSettings } from '../../settings/auth/auth-options.js';
import { identifyCaller, type CallerName } from '../../context/caller-identity.js';
import type { CallerTerms } from './caller-filter.js';
import type { CallerSelector } from './mcp-sessions.interface.js';

const MEMBERS = ['subject', 'issuer', 'clientId', 'token', 'identity'] as const;

/**
 * Parses a caller selector.
 *
 * @param auth how the server authenticates callers; absent if it does not
 * @throws {TypeError} if it does not select a caller, because it would then match every caller
 */
export function parseCallerSelector(selector: CallerSelector, auth: AuthSettings | undefined): CallerTerms {
  assertSelector(selector);
  const { subject, issuer, clientId, token, identity } = selector;
  const client = clientId === undefined ? {} : { clientId };
  if (identity !== undefined) return { identities: [identity], ...client };
  if (token !== undefined) {
    const authorities = listAuthorities(issuer === undefined ? undefined : [issuer], auth);
    const identities = authorities.map((authority) => identifyCaller({ authority, name: { token } }));
    return { identities, ...client };
  }
  if (subject === undefined) return { ...client, ...(issuer !== undefined && { issuer }) };
  if (issuer === undefined) return { subject, ...client };
  const issuers = listSpellings(issuer, auth);
  const identities = issuers.map((name) =>
    identifyCaller({ authority: { issuer: name }, name: { subject } }),
  );
  return { identities, ...client };
}

function assertSelector(selector: unknown): asserts selector is CallerSelector {
  if (typeof selector !== 'object' || selector === null) {
    throw new TypeError('A caller must be an object, such as { subject: "ada" }');
  }
  const given = selector as Record<string, unknown>;
  for (const member of MEMBERS) {
    const value = given[member];
    if (value === undefined || (typeof value === 'string' && value !== '')) continue;
    throw new TypeError(`"${member}" of a caller must be a non-empty string`);
  }
  if (MEMBERS.some((member) => member !== 'issuer' && given[member] !== undefined)) return;
  throw new TypeError('A caller must be identified by "subject", "clientId", "token" or "identity"');
}

/** Returns the authorities that may have accepted a token without a subject. */
function listAuthorities(
  issuers: readonly string[] | undefined,
  auth: AuthSettings | undefined,
): readonly CallerName['authority'][] {
  if (issuers !== undefined) return issuers.flatMap((issuer) => listSpellings(issuer, auth)).map(toAuthority);
  const known = [...(auth?.jwt.flatMap((jwt) => jwt.issuers) ?? []), ...listOf(auth?.introspection?.issuer)];
  const spelt = known.flatMap((issuer) => listSpellings(issuer, auth));
  return [...[...new Set(spelt)].map(toAuthority), { method: 'bearer' }, { method: 'custom' }];
}

/** Returns the spellings of an issuer in tokens: with `ignoreIssuerSlash`, also with or without the trailing slash. */
function listSpellings(issuer: string, auth: AuthSettings | undefined): readonly string[] {
  if (auth?.ignoreIssuerSlash !== true) return [issuer];
  return [issuer, issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`];
}

function toAuthority(issuer: string): CallerName['authority'] {
  return { issuer };
}

function listOf<Item>(value: Item | undefined): readonly Item[] {
  return value === undefined ? [] : [value];
}
