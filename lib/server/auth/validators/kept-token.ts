// The global of this name is looked for again each time, which takes longer than to read it.
import { performance } from 'node:perf_hooks';
import type { Authentication } from '../../context/authentication.interface.js';
import type { Known } from './validator.interface.js';

/** The time between two clearings of a cache. */
export interface Era {
  isOver: boolean;
}

/** How long a token that was validated counts. */
export interface TokenTerm {
  readonly era: Era;
  /** By the monotonic clock, so that a corrected clock makes nothing last longer. */
  readonly endsAt: number;
  /** By the clock that issuers know. */
  readonly expiresAtMs: number;
}

/** A token that was validated a short while ago. */
export class KeptToken implements Known {
  readonly isCached = true;
  readonly #term: TokenTerm;
  #isForgotten = false;

  constructor(
    readonly authentication: Authentication,
    term: TokenTerm,
  ) {
    this.#term = term;
  }

  /** Has it count no longer, wherever it is remembered. */
  forget(): void {
    this.#isForgotten = true;
  }

  isCurrent(): boolean {
    if (this.#isForgotten) return false;
    const { era, endsAt, expiresAtMs } = this.#term;
    return !era.isOver && performance.now() < endsAt && Date.now() < expiresAtMs;
  }
}
