const MINUTE_MS = 60_000;

/** Limits reports to one a minute for each condition. */
export class OnceAMinute {
  readonly #reported = new Map<string, number>();

  /** @param condition one of few: each is stored */
  isDue(condition: string): boolean {
    const now = performance.now();
    const last = this.#reported.get(condition);
    if (last !== undefined && now - last < MINUTE_MS) return false;
    this.#reported.set(condition, now);
    return true;
  }
}
