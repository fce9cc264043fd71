import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { computeExpiryMargin } from '../../../core/oauth/access-token.js';
import type { TokenResponse } from '../../../core/oauth/token-endpoint/request-token.js';
import type { Authentication } from '../../context/authentication.js';
import type { RequestedToken } from '../../context/token-exchange.js';
import type { MatchesCaller } from '../validators/validator.interface.js';

/** A caller's token, and the token that is wanted for it. */
export interface ExchangeRequest {
  /** The caller of the token. @default unknown */
  readonly caller?: Authentication | undefined;
  readonly subjectToken: string;
  /** When the caller's token expires, in seconds since the epoch. */
  readonly expiresAt: number | undefined;
  readonly wanted: RequestedToken;
}

/** How long a token without a known lifetime is used. */
const UNKNOWN_LIFETIME_MS = 60_000;

interface CachedToken {
  readonly caller: Authentication | undefined;
  readonly accessToken: string;
  /** By the monotonic clock, so that clock changes do not extend it. */
  readonly endsAt: number;
  /** When the caller's token expires, by the wall clock. */
  readonly callersEndMs: number;
}

/** The most concurrent exchanges, so that a flood of calls does not become a flood of requests. */
const MOST_EXCHANGES = 256;

/**
 * Caches exchanged tokens until shortly before they expire, and no longer than the caller's own token. Callers'
 * tokens are stored as digests.
 */
export class ExchangedTokenCache {
  readonly #kept: LRUCache<string, CachedToken>;
  #flights = new Map<string, Promise<string>>();

  constructor(size: number) {
    this.#kept = new LRUCache({ max: size });
  }

  /**
   * Returns a cached token, or exchanges it once for all concurrent callers. Failures and tokens that the service
   * refused are not cached.
   *
   * @throws {Error} if too many exchanges are running
   */
  async get(question: ExchangeRequest, exchange: () => Promise<TokenResponse>): Promise<string> {
    const key = digest(question);
    return (
      this.#find(key, question.wanted.refusedToken) ??
      this.#flights.get(key) ??
      this.#start(key, question, exchange)
    );
  }

  /** Clears the cache. Running exchanges are not cached. */
  clear(): void {
    this.#kept.clear();
    this.#flights = new Map();
  }

  /** Clears the tokens of some callers. Running exchanges are not cached. */
  forget(isTheirs: MatchesCaller): void {
    this.#flights = new Map();
    for (const [key, { caller }] of this.#kept) {
      if (caller !== undefined && isTheirs(caller)) this.#kept.delete(key);
    }
  }

  #find(key: string, refusedToken: string | undefined): string | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    const isCurrent = performance.now() < kept.endsAt && Date.now() < kept.callersEndMs;
    if (isCurrent && kept.accessToken !== refusedToken) return kept.accessToken;
    this.#kept.delete(key);
    return undefined;
  }

  #start(key: string, question: ExchangeRequest, exchange: () => Promise<TokenResponse>): Promise<string> {
    const flights = this.#flights;
    if (flights.size >= MOST_EXCHANGES) throw new Error(`${MOST_EXCHANGES} exchanges are under way`);
    // The lifetime counts from the request.
    const askedAt = performance.now();
    const callersEndMs = (question.expiresAt ?? Infinity) * 1000;
    const flight = exchange()
      .then(({ accessToken, expiresInSeconds }) => {
        const endsAt = askedAt + findLifetimeMs(expiresInSeconds);
        if (flights === this.#flights)
          this.#kept.set(key, { caller: question.caller, accessToken, endsAt, callersEndMs });
        return accessToken;
      })
      .finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }
}

/** Returns the milliseconds after the request for which a token is used. */
function findLifetimeMs(expiresInSeconds: number | undefined): number {
  if (expiresInSeconds === undefined) return UNKNOWN_LIFETIME_MS;
  const lifetimeMs = expiresInSeconds * 1000;
  return lifetimeMs - computeExpiryMargin(lifetimeMs);
}

function digest({ subjectToken, wanted: { audience, resource, scopes } }: ExchangeRequest): string {
  const parts = [subjectToken, ...[audience, resource, scopes].map(listOnce)];
  return hash('sha256', JSON.stringify(parts), 'base64');
}

/** Order and repetition do not matter. */
function listOnce(wanted: string | readonly string[] = []): readonly string[] {
  return [...new Set([wanted].flat())].toSorted();
}
