import { isSameAudience } from '../../../core/oauth/audience.js';
import type { JwtSettings } from '../../settings/auth/jwt-options.js';
import { quoteChoices, quoteValue } from '../quote-value.js';
import { findClientClaim } from './find-client-claim.js';
import { InvalidTokenError } from './invalid-token.error.js';
import type { TokenPart } from './jwt/decode-token.js';

/** Each may cost a comparison of URLs, before it is known who wrote the token. */
const MOST_AUDIENCES = 256;

/**
 * Checks that a token is valid now.
 *
 * @throws {InvalidTokenError} if it is not, or does not say until when it is
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
    `"nbf" is ${Number(nbf)}, which is in ${Math.ceil(untilStart)} seconds: see whether the clocks agree`,
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
  const remedy = isMissing ? explainMissing(payload, clientsWithoutAudience) : '';
  throw new InvalidTokenError(
    `"${audienceClaim}" is ${quoteValue(claim)}, expected ${quoteChoices(audiences)}${remedy}`,
  );
}

/** By what a token is known to be meant for this resource. */
type AudienceSettings = Pick<JwtSettings, 'audienceClaim' | 'audiences'> & {
  /** The clients whose tokens need no audience; absent if another option admits these tokens. */
  readonly clientsWithoutAudience?: readonly string[];
};

/** Tells whether a token has no audience. Some issuers write an empty one instead of leaving it out. */
export function isAudienceMissing(claim: unknown): boolean {
  return (
    claim === undefined || claim === null || claim === '' || (Array.isArray(claim) && claim.length === 0)
  );
}

/** Stands for every client. */
const ANY_CLIENT = '*';

/** Without a list only the claim of the standard counts: what others write is said of sessions and users too. */
function isOfClient(payload: TokenPart, clients: readonly string[] = []): boolean {
  if (clients.includes(ANY_CLIENT)) return findClientClaim(payload) === 'client_id';
  const claim = findClientClaim(payload);
  return claim !== undefined && clients.includes(String(payload[claim]));
}

function explainMissing(payload: TokenPart, clients: readonly string[] | undefined): string {
  if (clients === undefined) return '';
  const claim = findClientClaim(payload);
  const client = claim === undefined ? '' : `, by "${claim}" this one is of ${quoteValue(payload[claim])}`;
  return `: if the issuer writes no audience, list the clients in "auth.jwt.clientsWithoutAudience"${client}`;
}

/** Returns the audiences of a claim; none if it is neither a text nor an array of texts. */
export function readAudiences(claim: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const isRight = (one: unknown): one is string => typeof one === 'string';
  return listed.length <= MOST_AUDIENCES && listed.every(isRight) ? listed : [];
}
