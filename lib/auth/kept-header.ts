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
  /** Where what is secret begins. */
  readonly #start: number;

  /** @param isSigned whether the token was proven by the signature that it ends with; of any other, all is secret */
  constructor(header: string, isSigned: boolean) {
    this.#header = header.length > LONGEST ? undefined : header;
    this.#start = isSigned ? Math.max(0, header.trimEnd().length - SIGNATURE_END) : 0;
  }

  /** Tells whether a header is the same; one of more than 8192 characters never is. */
  equals(header: string): boolean {
    const kept = this.#header;
    if (kept === undefined || header.length !== kept.length) return false;
    // `timingSafeEqual()` takes bytes, and writing a header as bytes takes longer than this.
    let difference = 0;
    for (let index = this.#start; index < kept.length; index += 1) {
      difference |= header.charCodeAt(index) ^ kept.charCodeAt(index);
    }
    // What takes as long as headers are alike is reached by nobody who does not know the secret.
    return difference === 0 && header === kept;
  }
}
