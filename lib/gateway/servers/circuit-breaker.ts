/** When a circuit opens and closes. */
export interface CircuitLimits {
  readonly failures: number;
  readonly resetMs: number;
}

/** `open` rejects calls; `half-open` admits one trial call. */
export type CircuitState = 'closed' | 'open' | 'half-open';

/**
 * Rejects calls to a server that fails repeatedly, so that callers do not wait for it.
 *
 * @see https://learn.microsoft.com/azure/architecture/patterns/circuit-breaker
 */
export class CircuitBreaker {
  #failures = 0;
  #openedAt = 0;
  #isTrying = false;

  constructor(
    private readonly limits: CircuitLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get state(): CircuitState {
    if (this.#failures < this.limits.failures) return 'closed';
    return this.retryAfterMs > 0 ? 'open' : 'half-open';
  }

  /** Milliseconds until a call may try the server; 0 if one may do so now. */
  get retryAfterMs(): number {
    if (this.#failures < this.limits.failures) return 0;
    return Math.max(0, this.#openedAt + this.limits.resetMs - this.now());
  }

  /** Returns whether a call may reach the server. In the half-open state, one call at a time may. */
  admit(): boolean {
    const { state } = this;
    if (state === 'closed') return true;
    if (state === 'open' || this.#isTrying) return false;
    this.#isTrying = true;
    return true;
  }

  /** Records that the server responded. */
  succeed(): void {
    this.#failures = 0;
    this.#isTrying = false;
  }

  /** Records that the server did not respond. */
  fail(): void {
    this.#failures += 1;
    this.#isTrying = false;
    if (this.#failures >= this.limits.failures) this.#openedAt = this.now();
  }

  /** Records that a call ended without showing whether the server responds, such as a cancelled one. */
  leave(): void {
    this.#isTrying = false;
  }
}

/** Admits a number of events per second, and drops the rest. */
export class EventRate {
  #begunAt = -Infinity;
  #count = 0;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  admit(): boolean {
    const now = this.now();
    if (now - this.#begunAt >= 1000) {
      this.#begunAt = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.perSecond;
  }
}
