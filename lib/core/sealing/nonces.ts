import { randomFillSync } from 'node:crypto';

/** Enough bytes to make nonces unguessable and unique. */
const NONCE_BYTES = 16;

/** The number that Node generates together for `randomUUID()`. */
const BATCH = 128;

/**
 * Creates nonces. It generates random bytes for many nonces together, because generating them for each nonce costs
 * more than the rest of a session ID, and leaves off-heap memory to collect.
 */
export class Nonces {
  readonly #drawn = Buffer.alloc(NONCE_BYTES * BATCH);
  #next = this.#drawn.length;

  /** Creates one, in base64url. */
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
