import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Authentication } from '../../context/authentication.js';
import type { MatchesCaller, ReusableValidation, Outcome } from './validator.interface.js';

interface TokenCacheSettings {
  readonly cacheSize: number;
  /** How long a validated token is cached, in milliseconds; 0 disables the cache. */
  readonly cacheTtlMs: number;
}

/** The cache state when a validation started. */
interface PendingValidation {
  readonly era: CacheGeneration;
  readonly endsAt: number;
  readonly forgotten: number;
}

/** Caches validated tokens for a while, and never beyond their `exp`. Tokens are stored as digests. */
export class TokenCache {
  readonly #cached: LRUCache<string, CachedToken> | undefined;
  readonly #ttlMs: number;
  #flights = new Map<string, Promise<Outcome>>();
  /** Counts revocations. Validations that started before one are not cached. */
  #forgotten = 0;
  #era: CacheGeneration = { isOver: false };

  constructor({ cacheSize, cacheTtlMs }: TokenCacheSettings) {
    this.#ttlMs = cacheTtlMs;
    this.#cached = cacheTtlMs === 0 ? undefined : new LRUCache({ max: cacheSize });
  }

  /**
   * Returns the cached result for a token synchronously. Otherwise validates the token once for all concurrent
   * requests.
   *
   * Failures and unrecognized tokens are not cached.
   */
  validateOnce(token: string, validate: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    if (this.#cached === undefined) return validate();
    const key = digest(token);
    return this.#find(key) ?? this.#flights.get(key) ?? this.#validate(key, validate);
  }

  /** Clears the cache. Running validations are not cached. */
  clear(): void {
    this.#cached?.clear();
    this.#flights = new Map();
    this.#era.isOver = true;
    this.#era = { isOver: false };
  }

  /** Revokes the tokens of some callers. Running validations are not cached, because their callers are not known yet. */
  forget(isTheirs: MatchesCaller): void {
    this.#forgotten += 1;
    this.#flights = new Map();
    for (const [key, cached] of this.#cached ?? []) {
      if (!isTheirs(cached.authentication)) continue;
      cached.forget();
      this.#cached?.delete(key);
    }
  }

  #find(key: string): CachedToken | undefined {
    const cached = this.#cached?.get(key);
    if (cached === undefined || cached.isCurrent()) return cached;
    this.#cached?.delete(key);
    return undefined;
  }

  #validate(key: string, validate: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    // The lifetime counts from the start of the validation.
    const term = { era: this.#era, endsAt: performance.now() + this.#ttlMs, forgotten: this.#forgotten };
    const outcome = validate();
    if (!(outcome instanceof Promise)) return this.#keep(key, outcome, term);
    const flights = this.#flights;
    const flight = outcome
      .then((settled) => this.#keep(key, settled, term))
      .finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }

  #keep(key: string, outcome: Outcome, term: PendingValidation): Outcome {
    // Results from before a clear are not cached.
    if (term.era.isOver || term.forgotten !== this.#forgotten) return outcome;
    if ('unrecognized' in outcome || outcome.isCached) return outcome;
    const { authentication } = outcome;
    const expiresAtMs = (authentication.claims.expiresAt ?? Infinity) * 1000;
    this.#cached?.set(key, new CachedToken(authentication, { ...term, expiresAtMs }));
    return outcome;
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}

// The global `performance` would be looked up on each access, which is slower.

/** The time between two clears of a cache. */
export interface CacheGeneration {
  isOver: boolean;
}

/** When a validated token expires. */
interface TokenExpiry {
  readonly era: CacheGeneration;
  /** On the monotonic clock, so clock changes do not extend it. */
  readonly endsAt: number;
  /** Measured with the wall clock, which issuers use. */
  readonly expiresAtMs: number;
}

/** A cached, validated token. */
class CachedToken implements ReusableValidation {
  readonly isCached = true;
  readonly #term: TokenExpiry;
  #isForgotten = false;

  constructor(
    readonly authentication: Authentication,
    term: TokenExpiry,
  ) {
    this.#term = term;
  }

  /** Invalidates it wherever it is referenced. */
  forget(): void {
    this.#isForgotten = true;
  }

  isCurrent(): boolean {
    if (this.#isForgotten) return false;
    const { era, endsAt, expiresAtMs } = this.#term;
    return !era.isOver && performance.now() < endsAt && Date.now() < expiresAtMs;
  }
}
