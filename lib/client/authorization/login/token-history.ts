import { LRUCache } from 'lru-cache';

/** A server answers many calls that are under way with the same token, but none for long. */
const MOST_TOKENS = 32;

/** If a renewed token is refused this soon and was never accepted, it is no better than the previous one. */
const SOON_MS = 60_000;

/** How a server refused a token. */
export interface TokenRefusal {
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
