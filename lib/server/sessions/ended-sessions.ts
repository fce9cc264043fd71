/** Sessions that are remembered at once; the oldest are forgotten first. */
const MOST_REMEMBERED = 100_000;

/** Remembers which sessions have ended, for as long as their ids would still be taken for good. */
export class EndedSessions {
  /** By what processes call them. */
  readonly #expiries = new Map<string, number>();

  add(key: string, expires: number): void {
    this.#expiries.set(copyText(key), expires);
    if (this.#expiries.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#expiries.keys();
    if (oldest !== undefined) this.#expiries.delete(oldest);
  }

  has(key: string): boolean {
    return this.#expiries.has(key);
  }

  list(): readonly (readonly [key: string, expires: number])[] {
    return [...this.#expiries];
  }

  /** Forgets those whose ids have expired. */
  sweep(now: number): void {
    for (const [key, expires] of this.#expiries) if (expires <= now) this.#expiries.delete(key);
  }
}

/** A key was cut from an id, which V8 keeps for as long as there is the key. */
function copyText(key: string): string {
  return Buffer.from(key).toString();
}
