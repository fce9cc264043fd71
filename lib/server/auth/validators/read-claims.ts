import type { Claims } from '../../../core/oauth/claims.js';
import { isEmpty, omitEmpty } from '../../../core/oauth/omit-empty.js';
import { isScope, parseScope, uniteScopes } from '../../../core/oauth/scope.js';
import type { JwtSettings } from '../../settings/auth/jwt-options.js';
import { quoteValue } from '../quote-value.js';
import { readAudiences } from './assert-validity.js';
import { findClientClaim } from './find-client-claim.js';
import type { TokenPart } from './jwt/decode-token.js';
import { InvalidTokenError } from './invalid-token.error.js';

/** The places of claims that issuers write differently. */
export type ClaimPlaces = Pick<JwtSettings, 'audienceClaim' | 'scopeClaims' | 'scopePrefix'>;

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/**
 * Returns the claims of a token, except those that are `null` or an empty text, which many issuers write for absent
 * ones. So are audiences left out of a list of them.
 *
 * A reader then finds the claim missing. Nothing else changes.
 */
export function omitAbsentClaims(
  payload: TokenPart,
  { audienceClaim }: Pick<ClaimPlaces, 'audienceClaim'>,
): TokenPart {
  const said = omitEmpty(payload);
  const audiences = said[audienceClaim];
  if (!Array.isArray(audiences) || !audiences.some(isEmpty)) return said;
  return { ...said, [audienceClaim]: audiences.filter((one) => !isEmpty(one)) };
}

/**
 * Reads the claims of a token whose issuer is known.
 *
 * What can be no scope is left out of the scopes: a token that says something odd allows less, not more.
 *
 * @throws {InvalidTokenError} if `sub` is no text: callers could not be told apart
 * @see RFC 9068 §2.2
 */
export function readClaims(payload: TokenPart, places: ClaimPlaces): Claims {
  const { sub, iss, exp } = payload;
  if (sub !== undefined && (typeof sub !== 'string' || sub === '')) {
    throw new InvalidTokenError(`"sub" is ${quoteValue(sub)}, expected a text`);
  }
  const client = findClientClaim(payload);
  const scopeClaims = ['scopes', 'scope', ...places.scopeClaims];
  const taken = new Set(['sub', 'iss', 'exp', client, places.audienceClaim, ...scopeClaims]);
  const claims: Writable<Claims> = {
    aud: Object.freeze(readAudiences(payload[places.audienceClaim])),
    scopes: Object.freeze(readScopes(payload, scopeClaims, places.scopePrefix)),
    extra: Object.freeze(Object.fromEntries(Object.entries(payload).filter(([name]) => !taken.has(name)))),
  };
  if (sub !== undefined) claims.sub = sub;
  if (isText(iss)) claims.iss = iss;
  if (client !== undefined) claims.clientId = String(payload[client]);
  if (typeof exp === 'number') claims.expiresAt = exp;
  return Object.freeze(claims);
}

function readScopes(payload: TokenPart, claims: readonly string[], prefix: string): readonly string[] {
  const lists = claims.flatMap((claim) => listScopes(payload[claim]));
  const named = lists.map((scope) => (scope.startsWith(prefix) ? scope.slice(prefix.length) : scope));
  return uniteScopes(named.filter(isScope));
}

function listScopes(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return parseScope(claim);
  return Array.isArray(claim) ? claim.filter(isText) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
