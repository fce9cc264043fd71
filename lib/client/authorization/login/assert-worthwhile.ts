import type { CredentialKey, StoredTokens } from '../credentials/credential-store.interface.js';
import { LoginInVainError } from '../errors/errors.js';
import { LOGIN_PAUSE_MS } from './login-options.js';
import { OFFLINE_ACCESS } from './select-scopes.js';
import type { TokenHistory } from './token-history.js';

/** A login that is about to be begun. */
export interface NextLogin {
  readonly key: CredentialKey;
  /** What is kept of the one before. */
  readonly tokens: StoredTokens | undefined;
  readonly scopes: readonly string[];
  /** Those of the scopes that the server demands now; empty if it does not say. */
  readonly challenged: readonly string[];
  readonly history: TokenHistory;
  readonly pauseMs?: number | undefined;
}

/**
 * Refuses a login if one has just finished that asked for no less, and the server refuses its tokens: another would bring
 * the same.
 *
 * @throws {LoginInVainError} with what the server demands, and the login did not bring
 */
export function assertWorthwhile(next: NextLogin): void {
  const { key, tokens, scopes, challenged, history, pauseMs = LOGIN_PAUSE_MS } = next;
  if (tokens?.loggedInAtMs === undefined) return;
  const { loggedInAtMs, requestedScopes, grantedScopes } = tokens;
  // A clock that was set back must not lengthen the pause.
  const retryAfterMs = Math.min(pauseMs, loggedInAtMs + pauseMs - Date.now());
  if (retryAfterMs <= 0 || !scopes.every((scope) => requestedScopes.includes(scope))) return;
  const status = history.findRefusal(tokens.accessToken)?.status;
  if (status === undefined || (status === 401 && !isUntaken(tokens, history))) return;
  const demanded = (challenged.length === 0 ? scopes : challenged).filter(
    (scope) => scope !== OFFLINE_ACCESS,
  );
  const missing = demanded.filter((scope) => !grantedScopes.includes(scope));
  throw new LoginInVainError({ ...key, status, demanded, missing, retryAfterMs });
}

/** Tokens that were taken once, and are not any more, have come to an end: then another login is right. */
function isUntaken({ isUntaken: isKept = false }: StoredTokens, { isLoginUntaken }: TokenHistory): boolean {
  return isLoginUntaken ?? isKept;
}
