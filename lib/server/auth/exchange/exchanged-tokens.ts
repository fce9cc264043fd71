import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { computeExpiryMargin } from '../../../core/oauth/access-token.js';
import type { TokenResponse } from '../../../core/oauth/token-endpoint/request-token.js';
import type { Authentication } from '../../context/authentication.js';
import type { RequestedToken } from '../../context/token-exchange.js';
import type { MatchesCaller } from '../validators/validator.interface.js';

/** A caller's token, and the token requested in exchange. */
export interface ExchangeRequest {
  /** The token's caller. @default unknown */
  readonly caller?: Authentication | undefined;
  readonly subjectToken: string;
  /** When the caller's token expires, in seconds since the epoch. */
  readonly expiresAt: number | undefined;
  readonly wanted: RequestedToken;
}

/** How long a token with an unknown lifetime is used. */
const UNKNOWN_LIFETIME_MS = 60_000;

interface CachedToken {
  readonly caller: Authentication | undefined;
  readonly accessToken: string;
  /** On the monotonic clock, so clock changes do not extend it. */
  readonly endsAt: number;
  /** When the caller's token expires, by the wall clock. */
  readonly callersEndMs: number;
}

/** The maximum number of concurrent exchanges, which keeps a flood of calls from becoming a flood of requests. */
const MOST_EXCHANGES = 256;

/**
 * Caches exchanged tokens until shortly before they expire, and no longer than the caller's own token. Callers'
 * tokens are stored as digests.
 */
export class ExchangedTokenCache {
  readonly #cached: LRUCache<string, CachedToken>;
  #flights = new Map<string, Promise<string>>();

  constructor(size: number) {
    this.#cached = new LRUCache({ max: size });
  }

  /**
   * Returns a cached token, or exchanges the caller's token once for all concurrent calls. Failures and tokens that
   * the service refused are not cached.
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
    this.#cached.clear();
    this.#flights = new Map();
  }

  /** Clears the tokens of some callers. Running exchanges are not cached. */
  forget(isTheirs: MatchesCaller): void {
    this.#flights = new Map();
    for (const [key, { caller }] of this.#cached) {
      if (caller !== undefined && isTheirs(caller)) this.#cached.delete(key);
    }
  }

  #find(key: string, refusedToken: string | undefined): string | undefined {
    const cached = this.#cached.get(key);
    if (cached === undefined) return undefined;
    const isCurrent = performance.now() < cached.endsAt && Date.now() < cached.callersEndMs;
    if (isCurrent && cached.accessToken !== refusedToken) return cached.accessToken;
    this.#cached.delete(key);
    return undefined;
  }

  #start(key: string, question: ExchangeRequest, exchange: () => Promise<TokenResponse>): Promise<string> {
    const flights = this.#flights;
    if (flights.size >= MOST_EXCHANGES)
      throw new Error(`${MOST_EXCHANGES} token exchanges are already running`);
    // The lifetime counts from the request.
    const askedAt = performance.now();
    const callersEndMs = (question.expiresAt ?? Infinity) * 1000;
    const flight = exchange()
      .then(({ accessToken, expiresInSeconds }) => {
        const endsAt = askedAt + findLifetimeMs(expiresInSeconds);
        if (flights === this.#flights)
          this.#cached.set(key, { caller: question.caller, accessToken, endsAt, callersEndMs });
        return accessToken;
      })
      .finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }
}

/** Returns how long after its request a token is used, in milliseconds. */
function findLifetimeMs(expiresInSeconds: number | undefined): number {
  if (expiresInSeconds === undefined) return UNKNOWN_LIFETIME_MS;
  const lifetimeMs = expiresInSeconds * 1000;
  return lifetimeMs - computeExpiryMargin(lifetimeMs);
}

function digest({ subjectToken, wanted: { audience, resource, scopes } }: ExchangeRequest): string {
  const parts = [subjectToken, ...[audience, resource, scopes].map(listOnce)];
  return hash('sha256', JSON.stringify(parts), 'base64');
}

/** Order and duplicates do not matter. */
function listOnce(wanted: string | readonly string[] = []): readonly string[] {
  return [...new Set([wanted].flat())].toSorted();
}
