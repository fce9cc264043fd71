/** Longer ones are neither kept nor compared. */
const LONGEST = 8192;

/**
 * Characters at the end of a JWT that nobody guesses: more than 128 bits of its signature, of which no algorithm has fewer
 * (RFC 7518 §3.1).
 */
const SIGNATURE_END = 24;

/** A header with a token, which others are compared with in a time that tells nothing to whoever does not have the token. */
export class KeptHeader {
  /** Absent where it is too long. */
  readonly #header: string | undefined;
  /** What is secret of it, up to its end: numbers are read several times faster than characters. */
  readonly #secret: Uint16Array;

  /** @param isSigned whether the token was proven by the signature that it ends with; of any other, all is secret */
  constructor(header: string, isSigned: boolean) {
    this.#header = header.length > LONGEST ? undefined : header;
    const start = isSigned ? Math.max(0, header.trimEnd().length - SIGNATURE_END) : 0;
    this.#secret = listCodes(this.#header?.slice(start) ?? '');
  }

  /** Tells whether a header is the same; one of more than 8192 characters never is. */
  equals(header: string): boolean {
    const kept = this.#header;
    if (kept === undefined || header.length !== kept.length) return false;
    const secret = this.#secret;
    const start = kept.length - secret.length;
    // `timingSafeEqual()` takes bytes, and writing a header as bytes takes longer than this.
    let difference = 0;
    for (let index = 0; index < secret.length; index += 1) {
      difference |= header.charCodeAt(start + index) ^ (secret[index] ?? 0);
    }
    // What takes as long as headers are alike is reached by nobody who does not know the secret.
    return difference === 0 && header === kept;
  }
}

function listCodes(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}
