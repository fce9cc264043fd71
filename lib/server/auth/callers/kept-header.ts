/** Longer ones are neither kept nor compared. */
const LONGEST = 8192;

/**
 * Characters at the end of a JWT that nobody can guess. They hold at least 128 bits of the signature, and every
 * algorithm has as many (RFC 6749 §10.10, RFC 7518 §3.1).
 */
const SIGNATURE_END = 22;

/** A header with a token. Comparing it with others takes a constant time, which reveals nothing about the token. */
export class KeptHeader {
  /** Absent if it is too long. */
  readonly #header: string | undefined;
  /** Where what is secret begins. */
  readonly #start: number;
  /** The codes of what is secret: to read them from the header each time would take as long again. */
  readonly #secret: ArrayLike<number>;

  /** @param isSigned whether the token was proven by the signature that it ends with; of any other, all is secret */
  constructor(header: string, isSigned: boolean) {
    this.#header = header.length > LONGEST ? undefined : header;
    const end = header.trimEnd().length;
    this.#start = isSigned ? Math.max(0, end - SIGNATURE_END) : 0;
    const codes = listCodes(this.#header?.slice(this.#start, end) ?? '');
    // A few numbers are fastest in a plain array, and many are smaller in one of their size.
    this.#secret = isSigned ? codes : Uint16Array.from(codes);
  }

  /** Tells whether a header is the same; one of more than 8192 characters never is. */
  equals(header: string): boolean {
    const kept = this.#header;
    if (kept === undefined || header.length !== kept.length) return false;
    const start = this.#start;
    const secret = this.#secret;
    // `timingSafeEqual()` takes bytes, and writing a header as bytes takes longer than this.
    let difference = 0;
    for (let index = 0; index < secret.length; index += 1) {
      difference |= header.charCodeAt(start + index) ^ (secret[index] ?? 0);
    }
    // What takes as long as headers are alike is reached by nobody who does not know the secret.
    return difference === 0 && header === kept;
  }
}

function listCodes(text: string): number[] {
  const codes: number[] = [];
  for (let index = 0; index < text.length; index += 1) codes.push(text.charCodeAt(index));
  return codes;
}
