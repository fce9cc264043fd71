import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** In bytes, for SHA-256: the block that a key is padded to, and the digest. */
const BLOCK = 64;
const DIGEST = 32;

/** In UTF-16 units. For a longer string, the hashing itself dominates the cost. */
const LONGEST_SHORT_TEXT = 1024;
const MOST_BYTES_OF_A_UNIT = 3;

/**
 * HMAC-SHA-256 with one key. Short strings are hashed in two calls into reused memory: `createHmac()` creates a
 * stream for each, which doubles the time to hash a session ID.
 *
 * @see RFC 2104 §2
 */
export class HmacSha256 {
  readonly #key: Buffer;
  /** The key with `ipad`, and room for a string. */
  readonly #inner: Buffer;
  /** The key with `opad`, and room for the digest of the inner one. */
  readonly #outer: Buffer;

  /** @throws {RangeError} if the key is longer than a block, because it would have to be hashed first */
  constructor(key: Buffer) {
    if (key.length > BLOCK) throw new RangeError(`A key can have at most ${BLOCK} bytes`);
    this.#key = key;
    this.#inner = Buffer.alloc(BLOCK + LONGEST_SHORT_TEXT * MOST_BYTES_OF_A_UNIT);
    this.#outer = Buffer.alloc(BLOCK + DIGEST);
    for (let index = 0; index < BLOCK; index += 1) {
      const byte = key[index] ?? 0;
      this.#inner[index] = byte ^ 0x36;
      this.#outer[index] = byte ^ 0x5c;
    }
  }

  /** Returns the HMAC of a string's UTF-8 bytes, in base64url. */
  sign(text: string): string {
    if (text.length > LONGEST_SHORT_TEXT) {
      return createHmac('sha256', this.#key).update(text).digest('base64url');
    }
    const end = BLOCK + this.#inner.write(text, BLOCK);
    this.#outer.write(hash('sha256', this.#inner.subarray(0, end), 'hex'), BLOCK, 'hex');
    return hash('sha256', this.#outer, 'base64url');
  }
}

/** Compares secrets in constant time. The time reveals only whether their lengths are equal. */
export function isSameSecret(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
