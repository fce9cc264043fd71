import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Authentication } from '../../../context/authentication.interface.js';
import type { Era } from '../kept-token.js';
import type { IsTheirs } from '../validator.interface.js';

/** A token that the authorization server said is active. */
interface ActiveToken {
  readonly authentication: Authentication;
  /** When it was asked, by the monotonic clock. */
  readonly askedAt: number;
}

/** For how long an answer counts, and how many are kept. */
export interface ActiveTokenBounds {
  readonly cacheSize: number;
  readonly cacheTtlMs: number;
  readonly graceMs: number;
}

/** Remembers which tokens were active when they were asked about last, by their digests. */
export class ActiveTokens {
  readonly #tokens: LRUCache<string, ActiveToken>;
  #era: Era = { isOver: false };

  constructor(private readonly bounds: ActiveTokenBounds) {
    this.#tokens = new LRUCache({ max: bounds.cacheSize });
  }

  /** Tells whether a token was active, and has not ended by itself since. */
  has(token: string): boolean {
    return this.#find(token) !== undefined;
  }

  /** Returns the caller of a token that cannot be checked now, for the short time that this is allowed. */
  findInGrace(token: string): Authentication | undefined {
    const found = this.#find(token);
    const { cacheTtlMs, graceMs } = this.bounds;
    const isRecent = found !== undefined && performance.now() < found.askedAt + cacheTtlMs + graceMs;
    return isRecent && graceMs > 0 ? found.authentication : undefined;
  }

  /** Notes a question. Returns a function that notes that the token is active. */
  begin(token: string): (authentication: Authentication) => void {
    const askedAt = performance.now();
    const era = this.#era;
    return (authentication) => {
      if (!era.isOver) this.#tokens.set(digest(token), { authentication, askedAt });
    };
  }

  /** Forgets a token that is not active, or is no good here. */
  forget(token: string): void {
    this.#tokens.delete(digest(token));
  }

  /** Forgets the tokens of some callers. Pending questions are not remembered either, because their callers are not known yet. */
  forgetAll(isTheirs: IsTheirs): void {
    this.#era.isOver = true;
    this.#era = { isOver: false };
    for (const [key, { authentication }] of this.#tokens) {
      if (isTheirs(authentication)) this.#tokens.delete(key);
    }
  }

  clear(): void {
    this.#tokens.clear();
    this.#era.isOver = true;
    this.#era = { isOver: false };
  }

  #find(token: string): ActiveToken | undefined {
    const found = this.#tokens.get(digest(token));
    const { expiresAt = Infinity } = found?.authentication.claims ?? {};
    return Date.now() < expiresAt * 1000 ? found : undefined;
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}
