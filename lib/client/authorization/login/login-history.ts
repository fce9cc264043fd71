import { LRUCache } from 'lru-cache';
import type { CredentialKey, StoredTokens } from '../credentials/credential-store.js';
import { LoginIneffectiveError, LoginRefusedError } from '../errors.js';
import { OFFLINE_ACCESS } from './authorization-request.js';
import { LOGIN_PAUSE_MS } from './login-options.js';

/** The next login. */
interface NextLogin {
  readonly key: CredentialKey;
  /** The stored tokens from the previous login. */
  readonly tokens: StoredTokens | undefined;
  readonly scopes: readonly string[];
  /** The scopes that the server now requires; empty if it does not name them. */
  readonly challenged: readonly string[];
  readonly history: TokenHistory;
  readonly pauseMs?: number | undefined;
}

/**
 * Rejects a login if the previous one has just finished, requested the same scopes or more, and obtained tokens that
 * the server refuses, because another login would have the same result.
 *
 * @throws {LoginIneffectiveError} with the scopes that the server requires and the login did not obtain
 */
export function assertLoginUseful(next: NextLogin): void {
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
  throw new LoginIneffectiveError({ ...key, status, demanded, missing, retryAfterMs });
}

/** Tokens that were accepted once and are now refused have ended, so another login is appropriate. */
function isUntaken({ isUntaken: isKept = false }: StoredTokens, { isLoginUntaken }: TokenHistory): boolean {
  return isLoginUntaken ?? isKept;
}

/** In-flight calls share few tokens. */
const MOST_TOKENS = 32;

/** If a renewed token is refused this soon and was never accepted, it is considered no better than the previous one. */
const SOON_MS = 60_000;

/** How a server refused a token. */
interface TokenRefusal {
  readonly status: 401 | 403;
  /** Whether the error was `invalid_token`. Another token with the same scopes may be valid. */
  readonly isInvalid: boolean;
}

/** Remembers which recent tokens the server accepted or refused. */
export class TokenHistory {
  readonly #refusals = new LRUCache<string, TokenRefusal>({ max: MOST_TOKENS });
  readonly #accepted = new LRUCache<string, true>({ max: MOST_TOKENS });
  #lastAccepted: string | undefined;
  #renewed: { readonly token: string; readonly atMs: number } | undefined;
  /**
   * Whether the server has not accepted any token from the last login in this process; `undefined` if there was none.
   */
  #isLoginUntaken: boolean | undefined;

  /** Records that the server refused a token. If only scopes are missing, the token itself was accepted. */
  refuse(token: string, refusal: TokenRefusal): void {
    this.#refusals.set(token, refusal);
    if (refusal.status === 403) this.confirm(token);
  }

  /** Returns how a token was refused, or `undefined` if it was not. */
  findRefusal(token: string): TokenRefusal | undefined {
    return this.#refusals.peek(token);
  }

  /** Records that the server accepted a token. */
  confirm(token: string): void {
    if (token === this.#lastAccepted) return;
    this.#lastAccepted = token;
    this.#accepted.set(token, true);
    this.#isLoginUntaken &&= false;
  }

  /** Returns whether the server accepted a token. */
  wasAccepted(token: string): boolean {
    return this.#accepted.has(token);
  }

  /** Records a login. */
  logIn(): void {
    this.#isLoginUntaken = true;
  }

  /**
   * Returns whether the server has not accepted any token since the login in this process, or `undefined` if there
   * was none.
   */
  get isLoginUntaken(): boolean | undefined {
    return this.#isLoginUntaken;
  }

  /** Records that a token was refreshed, without a login. */
  renew(token: string): void {
    this.#renewed = { token, atMs: performance.now() };
  }

  /** Returns whether a token was refreshed a moment ago and has never been accepted. */
  isRejectedAfterRefresh(token: string): boolean {
    const isJustRenewed = this.#renewed?.token === token && performance.now() - this.#renewed.atMs < SOON_MS;
    return isJustRenewed && !this.wasAccepted(token);
  }
}

/** More issuers than any server has. */
const MOST_LOGINS = 32;

/** Errors that another login would reproduce. A user who refused a login may start it again. */
const PERMANENT_ERRORS: ReadonlySet<string> = new Set(['invalid_scope', 'invalid_target']);

/** A login that an authorization server refused. */
interface RefusedLogin {
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly error: LoginRefusedError;
  /** By the monotonic clock. */
  readonly atMs: number;
}

/** Remembers refused logins, so that later calls do not repeat them. */
export class RefusedLogins {
  #logins: readonly RefusedLogin[] = [];

  /** @param pauseMs how long refusals are remembered */
  constructor(private readonly pauseMs: number) {}

  record(issuer: string, scopes: readonly string[], error: LoginRefusedError): void {
    if (!PERMANENT_ERRORS.has(error.error)) return;
    const login = { issuer, scopes, error, atMs: performance.now() };
    this.#logins = [login, ...this.#recent].slice(0, MOST_LOGINS);
  }

  /** @throws {LoginRefusedError} if a login for these scopes or fewer was refused a moment ago */
  assertNone(issuer: string, scopes: readonly string[]): void {
    const same = this.#recent.find(
      (login) => login.issuer === issuer && login.scopes.every((scope) => scopes.includes(scope)),
    );
    if (same === undefined) return;
    const { error: cause } = same;
    throw new LoginRefusedError(issuer, cause.error, cause.description, { cause });
  }

  get #recent(): readonly RefusedLogin[] {
    const since = performance.now() - this.pauseMs;
    return this.#logins.filter(({ atMs }) => atMs > since);
  }
}
