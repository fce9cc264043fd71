const MINUTE_MS = 60_000;

/** Tells about each condition whether it is to be reported, which is once a minute. */
export class OnceAMinute {
  readonly #told = new Map<string, number>();

  /** @param condition one of few: each is remembered */
  isDue(condition: string): boolean {
    const now = performance.now();
    const last = this.#told.get(condition);
    if (last !== undefined && now - last < MINUTE_MS) return false;
    this.#told.set(condition, now);
    return true;
  }
}
