import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { computeExpiryMargin } from '../../../core/oauth/access-token.js';
import type { TokenResponse } from '../../../core/oauth/token-endpoint/request-token.js';
import type { Authentication } from '../../context/authentication.js';
import type { WantedToken } from '../../context/token-exchange.js';
import type { MatchesCaller } from '../validators/validator.interface.js';

/** A caller's token, and what is wanted for it. */
export interface ExchangeRequest {
  /** Whose the token is. @default nobody's that is known */
  readonly caller?: Authentication | undefined;
  readonly subjectToken: string;
  /** When the caller's token ends, in seconds of the epoch. */
  readonly expiresAt: number | undefined;
  readonly wanted: WantedToken;
}

/** How long a token is given whose end nobody knows. */
const UNKNOWN_LIFETIME_MS = 60_000;

interface KeptToken {
  readonly caller: Authentication | undefined;
  readonly accessToken: string;
  /** By the monotonic clock, so that a corrected clock makes nothing last longer. */
  readonly endsAt: number;
  /** When the caller's token ends, by the clock that issuers know. */
  readonly callersEndMs: number;
}

/** Exchanges under way: a flood of calls must not become one of requests. */
const MOST_EXCHANGES = 256;

/**
 * Keeps tokens that were got for those of callers, until shortly before their end, and no longer than the caller's own
 * lasts. Callers' tokens are known by their digests.
 */
export class ExchangedTokenCache {
  readonly #kept: LRUCache<string, KeptToken>;
  #flights = new Map<string, Promise<string>>();

  constructor(size: number) {
    this.#kept = new LRUCache({ max: size });
  }

  /**
   * Returns a token that is kept; else gets it, once for all who ask in the meantime. A failure is not kept. A token that
   * the service refused is not kept either.
   *
   * @throws {Error} if too many are being got
   */
  async get(question: ExchangeRequest, exchange: () => Promise<TokenResponse>): Promise<string> {
    const key = digest(question);
    return (
      this.#find(key, question.wanted.refusedToken) ??
      this.#flights.get(key) ??
      this.#start(key, question, exchange)
    );
  }

  /** Forgets everything, and does not keep what is being got. */
  clear(): void {
    this.#kept.clear();
    this.#flights = new Map();
  }

  /** Forgets the tokens of some callers, and does not keep those that are on their way. */
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
    // An answer is as old as its question.
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

/** What is asked for does not depend on the order. */
function listOnce(wanted: string | readonly string[] = []): readonly string[] {
  return [...new Set([wanted].flat())].toSorted();
}
