import { computeEndMargin } from '../../../core/oauth/end-margin.js';
import type { TokenAnswer } from '../../../core/oauth/token-endpoint/request-token.js';
import type { StoredTokens } from '../credentials/credential-store.interface.js';

/** Tokens that were given just now. */
export interface GivenTokens {
  readonly answer: TokenAnswer;
  readonly askedAtMs: number;
  /** Every scope that was asked for until now. */
  readonly requestedScopes: readonly string[];
  /** The tokens that were traded in for them. */
  readonly before?: StoredTokens | undefined;
}

/** Builds what is kept of tokens. A refresh token lasts until another one takes its place. */
export function buildStoredTokens({ answer, askedAtMs, requestedScopes, before }: GivenTokens): StoredTokens {
  const { accessToken, tokenType, expiresInSeconds = Infinity, scopes } = answer;
  // With 0, some say that a token has no end. If it had ended already, each call would take another login.
  const lifetimeSeconds = expiresInSeconds === 0 ? Infinity : expiresInSeconds;
  // What is said to last for ever need not be a number that a file can hold.
  const expiresAtMs = askedAtMs + lifetimeSeconds * 1000;
  const refreshToken = answer.refreshToken ?? before?.refreshToken;
  return {
    accessToken,
    tokenType,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(Number.isFinite(expiresAtMs) && { askedAtMs, expiresAtMs }),
    grantedScopes: scopes ?? before?.grantedScopes ?? requestedScopes,
    requestedScopes,
    ...(before?.loggedInAtMs !== undefined && { loggedInAtMs: before.loggedInAtMs }),
    ...(before?.isUntaken === true && { isUntaken: true }),
  };
}

/**
 * Tells whether an access token lasts for a call; one without an end does until it is refused. If the beginning of its life
 * is unknown, it counts as a long one. A token that ends soon then costs one renewal, after which the beginning is known.
 */
export function isFresh({ askedAtMs = -Infinity, expiresAtMs = Infinity }: StoredTokens): boolean {
  return Date.now() < expiresAtMs - computeEndMargin(expiresAtMs - askedAtMs);
}
