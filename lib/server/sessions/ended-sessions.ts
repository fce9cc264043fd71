import { createHash } from 'node:crypto';

/** Sessions that are remembered at once; the oldest are forgotten first. */
const MOST_REMEMBERED = 100_000;

/** Remembers which sessions have ended, for as long as their ids would still be taken for good. */
export class EndedSessions {
  /** By a digest of what processes call them. */
  readonly #expiries = new Map<string, number>();

  add(key: string, expires: number): void {
    this.#expiries.set(digest(key), expires);
    if (this.#expiries.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#expiries.keys();
    if (oldest !== undefined) this.#expiries.delete(oldest);
  }

  has(key: string): boolean {
    return this.#expiries.size > 0 && this.#expiries.has(digest(key));
  }

  /** Forgets those whose ids have expired. */
  sweep(now: number): void {
    for (const [id, expires] of this.#expiries) if (expires <= now) this.#expiries.delete(id);
  }
}

/** Twelve characters are enough to tell ids apart, and too few for V8 to keep the text that they are cut from. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 12);
}
