import { isSameAudience } from '../../../core/oauth/audience.js';
import type { JwtSettings } from '../../settings/auth-settings.js';
import { quoteChoices, quoteValue } from '../quote-value.js';
import type { TokenPart } from './jwt/decode-token.js';
import { InvalidTokenError } from './invalid-token.error.js';

/** Each may cost a comparison of URLs, before it is known who wrote the token. */
const MOST_AUDIENCES = 256;

/**
 * Checks that a token is valid now.
 *
 * @throws {InvalidTokenError} where it is not, or does not say until when it is
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
 * @throws {InvalidTokenError} where it is not
 * @see RFC 7519 §4.1.3, RFC 8707 §2
 */
export function assertAudience(
  payload: TokenPart,
  { audienceClaim, audiences }: Pick<JwtSettings, 'audienceClaim' | 'audiences'>,
): void {
  const found = readAudiences(payload[audienceClaim]);
  if (found.some((one) => audiences.some((expected) => isSameAudience(expected, one)))) return;
  throw new InvalidTokenError(
    `"${audienceClaim}" is ${quoteValue(payload[audienceClaim])}, expected ${quoteChoices(audiences)}`,
  );
}

/** Gives the audiences of a claim; none where it is neither a text nor an array of texts. */
export function readAudiences(claim: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const isRight = (one: unknown): one is string => typeof one === 'string';
  return listed.length <= MOST_AUDIENCES && listed.every(isRight) ? listed : [];
}
