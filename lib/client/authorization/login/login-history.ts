import { LRUCache } from 'lru-cache';
import type { CredentialKey, StoredTokens } from '../credentials/credential-store.js';
import { LoginInVainError, LoginRefusedError } from '../errors.js';
import { OFFLINE_ACCESS } from './authorization-request.js';
import { LOGIN_PAUSE_MS } from './login-options.js';

/** A login that is about to be begun. */
interface NextLogin {
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

/** A server answers many calls that are under way with the same token, but none for long. */
const MOST_TOKENS = 32;

/** If a renewed token is refused this soon and was never accepted, it is no better than the previous one. */
const SOON_MS = 60_000;

/** How a server refused a token. */
interface TokenRefusal {
  readonly status: 401 | 403;
  /** Whether it said that the token is invalid. Another token with the same scopes may be valid. */
  readonly isInvalid: boolean;
}

/** What became of the tokens that were sent lately. */
export class TokenHistory {
  readonly #refusals = new LRUCache<string, TokenRefusal>({ max: MOST_TOKENS });
  readonly #taken = new LRUCache<string, true>({ max: MOST_TOKENS });
  #lastTaken: string | undefined;
  #renewed: { readonly token: string; readonly atMs: number } | undefined;
  /** Whether the server has accepted no token of the last login here; `undefined` if there was no login here. */
  #isLoginUntaken: boolean | undefined;

  /** Notes that a server refused a token. If only scopes are missing, the token itself was accepted. */
  refuse(token: string, refusal: TokenRefusal): void {
    this.#refusals.set(token, refusal);
    if (refusal.status === 403) this.confirm(token);
  }

  /** Returns how a token was refused, or `undefined` if it was not. */
  findRefusal(token: string): TokenRefusal | undefined {
    return this.#refusals.peek(token);
  }

  /** Notes that a server took a token. */
  confirm(token: string): void {
    if (token === this.#lastTaken) return;
    this.#lastTaken = token;
    this.#taken.set(token, true);
    this.#isLoginUntaken &&= false;
  }

  /** Tells whether a server took a token. */
  wasTaken(token: string): boolean {
    return this.#taken.has(token);
  }

  /** Notes that a user logged in. */
  logIn(): void {
    this.#isLoginUntaken = true;
  }

  /** Tells whether the server has taken no token since the login that was done here. Returns `undefined` if none was. */
  get isLoginUntaken(): boolean | undefined {
    return this.#isLoginUntaken;
  }

  /** Notes that a token was got without a login. */
  renew(token: string): void {
    this.#renewed = { token, atMs: performance.now() };
  }

  /** Tells whether a token was got a moment ago, without a login, and was never taken. */
  isRenewedInVain(token: string): boolean {
    const isJustRenewed = this.#renewed?.token === token && performance.now() - this.#renewed.atMs < SOON_MS;
    return isJustRenewed && !this.wasTaken(token);
  }
}

/** Nobody logs in at as many issuers for one server. */
const MOST_LOGINS = 32;

/** Refusals that would be repeated. A user who refused a login may begin it again. */
const LASTING: ReadonlySet<string> = new Set(['invalid_scope', 'invalid_target']);

/** A login that an authorization server said no to. */
interface RefusedLogin {
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly error: LoginRefusedError;
  /** By the monotonic clock. */
  readonly atMs: number;
}

/** Remembers what was refused, so that each call does not ask for it again. */
export class RefusedLogins {
  #logins: readonly RefusedLogin[] = [];

  /** @param pauseMs for how long it is remembered */
  constructor(private readonly pauseMs: number) {}

  note(issuer: string, scopes: readonly string[], error: LoginRefusedError): void {
    if (!LASTING.has(error.error)) return;
    const login = { issuer, scopes, error, atMs: performance.now() };
    this.#logins = [login, ...this.#recent].slice(0, MOST_LOGINS);
  }

  /** @throws {LoginRefusedError} if the same login, for no more, was refused a moment ago */
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
