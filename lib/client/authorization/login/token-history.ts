import { LRUCache } from 'lru-cache';

/** A server answers many calls that are under way with the same token, but none for long. */
const MOST_TOKENS = 32;

/** A token that was renewed and is refused so soon is no better than the one before. */
const SOON_MS = 60_000;

/** What became of the tokens that were sent lately. */
export class TokenHistory {
  readonly #refusals = new LRUCache<string, 401 | 403>({ max: MOST_TOKENS });
  #renewed: { readonly token: string; readonly atMs: number } | undefined;

  /** Notes that a server refused a token. */
  refuse(token: string, status: 401 | 403): void {
    this.#refusals.set(token, status);
  }

  /** Gives how a token was refused; nothing where it was not. */
  findRefusal(token: string): 401 | 403 | undefined {
    return this.#refusals.peek(token);
  }

  /** Notes that a token was got without a login. */
  renew(token: string): void {
    this.#renewed = { token, atMs: performance.now() };
  }

  /** Tells whether a token was got a moment ago, without a login. */
  isJustRenewed(token: string): boolean {
    return this.#renewed?.token === token && performance.now() - this.#renewed.atMs < SOON_MS;
  }
}
