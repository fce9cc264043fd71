import { randomFillSync } from 'node:crypto';

/** So many that nobody guesses them, and no two nonces share them. */
const NONCE_BYTES = 16;

/** As many as Node draws at once for `randomUUID()`. */
const DRAWN_AT_ONCE = 128;

/**
 * Gives nonces. It draws the bytes of many at once. To draw those of one nonce takes longer than the rest of a session id, and
 * leaves memory outside the heap to be collected.
 */
export class Nonces {
  readonly #drawn = Buffer.alloc(NONCE_BYTES * DRAWN_AT_ONCE);
  #next = this.#drawn.length;

  /** Returns one, in base64url. */
  create(): string {
    if (this.#next === this.#drawn.length) {
      randomFillSync(this.#drawn);
      this.#next = 0;
    }
    const start = this.#next;
    this.#next += NONCE_BYTES;
    return this.#drawn.toString('base64url', start, this.#next);
  }
}
