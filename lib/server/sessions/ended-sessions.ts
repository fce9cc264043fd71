/** Sessions that are remembered at once; the oldest are forgotten first. */
const MOST_REMEMBERED = 100_000;

/** Remembers which sessions have ended, for as long as their ids would still be taken for good. */
export class EndedSessions {
  readonly #expiries = new Map<string, number>();

  add(id: string, expires: number): void {
    this.#expiries.set(id, expires);
    if (this.#expiries.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#expiries.keys();
    if (oldest !== undefined) this.#expiries.delete(oldest);
  }

  has(id: string): boolean {
    return this.#expiries.has(id);
  }

  /** Forgets those whose ids have expired. */
  sweep(now: number): void {
    for (const [id, expires] of this.#expiries) if (expires <= now) this.#expiries.delete(id);
  }
}
