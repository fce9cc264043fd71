import { createHash } from 'node:crypto';

/** Sessions that are remembered at once; the oldest are forgotten first. */
const MOST_REMEMBERED = 100_000;

/** Remembers which sessions have ended, for as long as their ids would still be taken for good. */
export class EndedSessions {
  /** By a digest: ids may be long. */
  readonly #expiries = new Map<string, number>();

  add(id: string, expires: number): void {
    this.#expiries.set(digest(id), expires);
    if (this.#expiries.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#expiries.keys();
    if (oldest !== undefined) this.#expiries.delete(oldest);
  }

  has(id: string): boolean {
    return this.#expiries.size > 0 && this.#expiries.has(digest(id));
  }

  /** Forgets those whose ids have expired. */
  sweep(now: number): void {
    for (const [id, expires] of this.#expiries) if (expires <= now) this.#expiries.delete(id);
  }
}

/** Twelve characters are enough to tell ids apart, and too few for V8 to keep the text that they are cut from. */
function digest(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 12);
}
