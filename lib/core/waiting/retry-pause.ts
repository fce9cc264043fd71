import { computeDelay } from './back-off.js';

const INITIAL_MS = 500;

/** The pause before the next attempt: half a second after a failure, then twice as long each time, up to a limit. */
export class RetryPause {
  #failures = 0;
  #endsAt = -Infinity;

  constructor(private readonly maxMs: number) {}

  /** Milliseconds until the next attempt may start. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** The same in whole seconds, for `Retry-After` (RFC 9110 §10.2.3). */
  get leftSeconds(): number {
    return Math.max(1, Math.ceil(this.leftMs / 1000));
  }

  /** Starts a pause after a failed attempt. */
  fail(): void {
    const bounds = { initialDelayMs: INITIAL_MS, maxDelayMs: this.maxMs };
    this.#endsAt = performance.now() + computeDelay(bounds, this.#failures, { random: () => 0 });
    this.#failures += 1;
  }

  /** Starts a pause after a successful attempt. */
  succeed(pauseMs: number): void {
    this.#failures = 0;
    this.#endsAt = performance.now() + pauseMs;
  }

  /** Ends the pause. */
  end(): void {
    this.#endsAt = -Infinity;
  }
}
