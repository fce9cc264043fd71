import { isSameAudience } from '../../../core/oauth/audience.js';
import type { Claims } from '../../../core/oauth/access-token.js';
import { isEmpty, omitEmpty } from '../../../core/oauth/omit-empty.js';
import { differBySlash } from '../../../core/oauth/metadata.js';
import { isScope, mergeScopes, parseScope } from '../../../core/oauth/scope.js';
import type { JwtSettings } from '../../settings/auth/jwt-options.js';
import { InvalidTokenError } from '../errors.js';
import { quoteChoices, quoteValue } from '../quote-value.js';
import type { TokenPart } from './jwt/decode-token.js';

/** The maximum number of audiences, each of which costs a URL comparison before the signature is verified. */
const MOST_AUDIENCES = 256;

/**
 * Checks that a token is valid now.
 *
 * @throws {InvalidTokenError} if it is not, or has no `exp`
 * @see RFC 7519 §4.1.4, §4.1.5
 */
export function assertTimes({ exp, nbf }: TokenPart, toleranceSeconds: number): void {
  const now = Date.now() / 1000;
  if (!Number.isFinite(exp)) throw new InvalidTokenError(`"exp" is ${quoteValue(exp)}, expected a number`);
  const sinceEnd = now - Number(exp);
  if (sinceEnd >= toleranceSeconds) {
    throw new InvalidTokenError(`"exp" is ${Number(exp)}, which was ${Math.floor(sinceEnd)} seconds ago`);
  }
  if (nbf === undefined) return;
  if (!Number.isFinite(nbf)) throw new InvalidTokenError(`"nbf" is ${quoteValue(nbf)}, expected a number`);
  const untilStart = Number(nbf) - now;
  if (untilStart <= toleranceSeconds) return;
  throw new InvalidTokenError(
    `"nbf" is ${Number(nbf)}, which is in ${Math.ceil(untilStart)} seconds: check that the clocks are in sync`,
  );
}

/**
 * Checks that a token is meant for this resource.
 *
 * @throws {InvalidTokenError} if it is not
 * @see RFC 7519 §4.1.3, RFC 8707 §2
 */
export function assertAudience(
  payload: TokenPart,
  { audienceClaim, audiences, clientsWithoutAudience }: AudienceSettings,
): void {
  const claim = payload[audienceClaim];
  const found = readAudiences(claim);
  if (found.some((one) => audiences.some((expected) => isSameAudience(expected, one)))) return;
  const isMissing = isAudienceMissing(claim);
  if (isMissing && isOfClient(payload, clientsWithoutAudience)) return;
  const fix = isMissing ? explainMissing(payload, clientsWithoutAudience) : '';
  throw new InvalidTokenError(
    `"${audienceClaim}" is ${quoteValue(claim)}, expected ${quoteChoices(audiences)}${fix}`,
  );
}

/** The settings that determine whether a token is meant for this resource. */
type AudienceSettings = Pick<JwtSettings, 'audienceClaim' | 'audiences'> & {
  /** The clients whose tokens require no audience; absent if another option admits these tokens. */
  readonly clientsWithoutAudience?: readonly string[];
};

/** Returns whether a token has no audience. Some issuers write an empty one instead of omitting it. */
export function isAudienceMissing(claim: unknown): boolean {
  return (
    claim === undefined || claim === null || claim === '' || (Array.isArray(claim) && claim.length === 0)
  );
}

/** Stands for every client. */
const ANY_CLIENT = '*';

/**
 * If any client is allowed, only the standard claim counts, because ID tokens and sessions have the other claims too.
 */
function isOfClient(payload: TokenPart, clients: readonly string[] = []): boolean {
  if (clients.includes(ANY_CLIENT)) return findClientClaim(payload) === 'client_id';
  const claim = findClientClaim(payload);
  return claim !== undefined && clients.includes(String(payload[claim]));
}

function explainMissing(payload: TokenPart, clients: readonly string[] | undefined): string {
  if (clients === undefined) return '';
  const claim = findClientClaim(payload);
  const client =
    claim === undefined ? '' : ` (this token has ${quoteValue(payload[claim])} as its "${claim}")`;
  return `: if the issuer does not include an audience, list the clients in "auth.jwt.clientsWithoutAudience"${client}`;
}

/** Returns the audiences of a claim; none if it is neither a string nor an array of strings. */
function readAudiences(claim: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const isRight = (one: unknown): one is string => typeof one === 'string';
  return listed.length <= MOST_AUDIENCES && listed.every(isRight) ? listed : [];
}

/** Claims whose names differ between issuers. */
export type ClaimNames = Pick<JwtSettings, 'audienceClaim' | 'scopeClaims' | 'scopePrefix'>;

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/**
 * Returns a token's claims, except those that are `null` or empty strings, which many issuers write for absent
 * claims. Empty audiences are omitted as well.
 */
export function omitAbsentClaims(
  payload: TokenPart,
  { audienceClaim }: Pick<ClaimNames, 'audienceClaim'>,
): TokenPart {
  const said = omitEmpty(payload);
  const audiences = said[audienceClaim];
  if (!Array.isArray(audiences) || !audiences.some(isEmpty)) return said;
  return { ...said, [audienceClaim]: audiences.filter((one) => !isEmpty(one)) };
}

/**
 * Reads the claims of a token whose issuer is known.
 *
 * Malformed scopes are omitted, so an unusual token allows less rather than more.
 *
 * @throws {InvalidTokenError} if `sub` is not a string, because it distinguishes callers
 * @see RFC 9068 §2.2
 */
export function readClaims(payload: TokenPart, places: ClaimNames): Claims {
  const { sub, iss, exp } = payload;
  if (sub !== undefined && (typeof sub !== 'string' || sub === '')) {
    throw new InvalidTokenError(`"sub" is ${quoteValue(sub)}, expected a string`);
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
  return mergeScopes(named.filter(isScope));
}

function listScopes(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return parseScope(claim);
  return Array.isArray(claim) ? claim.filter(isText) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The claims that name a token's client, starting with the standard one (RFC 9068 §2.2). */
const CLIENT_CLAIMS = ['client_id', 'azp', 'appid', 'cid'] as const;

/** Returns the name of the claim that identifies a token's client, or `undefined` if there is none. */
function findClientClaim(payload: { readonly [claim: string]: unknown }): string | undefined {
  return CLIENT_CLAIMS.find((claim) => isText(payload[claim]));
}

/** Describes an unexpected issuer, and the fix if the issuers differ only by a trailing slash. */
export function explainIssuer(found: unknown, expected: readonly string[]): string {
  const difference = `"iss" is ${quoteValue(found)}, expected ${quoteChoices(expected)}`;
  const isNear = typeof found === 'string' && expected.some((issuer) => differBySlash(issuer, found));
  return isNear
    ? `${difference}: match the trailing slash in "iss" exactly, or set "auth.ignoreIssuerSlash"`
    : difference;
}
