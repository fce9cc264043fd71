import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Outcome, Validated } from './validator.interface.js';

interface TokenCacheSettings {
  readonly cacheSize: number;
  /** Milliseconds for which a validated token counts; 0 is never. */
  readonly cacheTtlMs: number;
}

interface KeptToken {
  readonly validated: Validated;
  /** By the monotonic clock, so that a corrected clock makes nothing last longer. */
  readonly endsAt: number;
  /** By the clock that issuers know. */
  readonly expiresAtMs: number;
}

/** Keeps what tokens turned out to be, for a while and never beyond their `exp`. Tokens are known by their digests. */
export class TokenCache {
  readonly #kept: LRUCache<string, KeptToken> | undefined;
  readonly #ttlMs: number;
  #flights = new Map<string, Promise<Outcome>>();

  constructor({ cacheSize, cacheTtlMs }: TokenCacheSettings) {
    this.#ttlMs = cacheTtlMs;
    this.#kept = cacheTtlMs === 0 ? undefined : new LRUCache({ max: cacheSize });
  }

  /**
   * Gives what is known of a token, at once; else validates it, once for all who ask in the meantime.
   *
   * A failure is not kept, nor a token that is not recognised.
   */
  validateOnce(token: string, validate: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    if (this.#kept === undefined) return validate();
    const key = hash('sha256', token, 'base64');
    return this.#find(key) ?? this.#flights.get(key) ?? this.#validate(key, validate);
  }

  /** Forgets everything, and does not keep what is being validated. */
  clear(): void {
    this.#kept?.clear();
    this.#flights = new Map();
  }

  #find(key: string): Validated | undefined {
    const kept = this.#kept?.get(key);
    if (kept === undefined) return undefined;
    if (performance.now() < kept.endsAt && Date.now() < kept.expiresAtMs) return kept.validated;
    this.#kept?.delete(key);
    return undefined;
  }

  #validate(key: string, validate: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    // An answer is as old as its question.
    const endsAt = performance.now() + this.#ttlMs;
    const outcome = validate();
    if (!(outcome instanceof Promise)) return this.#keep(key, outcome, endsAt);
    const flights = this.#flights;
    const flight = outcome
      .then((settled) => (flights === this.#flights ? this.#keep(key, settled, endsAt) : settled))
      .finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }

  #keep(key: string, outcome: Outcome, endsAt: number): Outcome {
    if ('unrecognised' in outcome) return outcome;
    const { authentication } = outcome;
    const expiresAtMs = (authentication.claims.expiresAt ?? Infinity) * 1000;
    this.#kept?.set(key, { validated: { authentication, isCached: true }, endsAt, expiresAtMs });
    return outcome;
  }
}
