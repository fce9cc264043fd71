/** Milliseconds for which a failure counts if no event follows: whoever is not ready gets no request that would show it well. */
const FAILURE_MS = 30_000;

/** If an event was kept so many milliseconds before a failure, the failure may be due to one caller. */
const RECENT_MS = 10_000;

/** Remembers whether events that must be kept are kept. */
export class KeptEvents {
  #keptAt = -Infinity;
  #failedAt = -Infinity;

  note(isKept: boolean): void {
    if (isKept) this.#keptAt = performance.now();
    else this.#failedAt = performance.now();
  }

  /** Whether the last events could not be kept. */
  get isFailing(): boolean {
    const isFresh = performance.now() - this.#failedAt < FAILURE_MS;
    return isFresh && this.#failedAt - this.#keptAt > RECENT_MS;
  }
}
