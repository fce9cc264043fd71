import type { TokenOrigin } from './authorization-header.js';
import type { ReusableValidation } from './validators/validator.interface.js';

interface LastCaller {
  readonly known: ReusableValidation;
  /** Absent until the caller comes again: if callers take turns, as behind a proxy, none is kept. */
  header?: CachedHeader;
}

/**
 * Remembers the last `Authorization` of each connection, and its caller. A client sends the same with every request, and
 * comparing it costs a fraction of a digest of its token.
 */
export class CallerCache {
  #last = new WeakMap<object, LastCaller>();
  /** All connections of a caller share one: a copy for each takes more memory, and is seldom in a cache when it is read. */
  #headers = new WeakMap<ReusableValidation, CachedHeader>();

  /** Returns the caller of a request, if it has the same token as the last known caller and that is still valid. */
  recall({ connection, authorization }: TokenOrigin): ReusableValidation | undefined {
    const last = this.#last.get(connection);
    if (last?.header?.equals(authorization) !== true) return undefined;
    if (last.known.isCurrent()) return last.known;
    this.#last.delete(connection);
    return undefined;
  }

  /** Remembers the caller of a request, and forgets the previous one. */
  remember({ connection, authorization }: TokenOrigin, known: ReusableValidation): void {
    const last = this.#last.get(connection);
    if (last?.known === known) last.header = this.#keepHeader(known, authorization);
    else this.#last.set(connection, { known });
  }

  /** Forgets everybody. */
  clear(): void {
    this.#last = new WeakMap();
    this.#headers = new WeakMap();
  }

  #keepHeader(known: ReusableValidation, authorization: string): CachedHeader {
    const kept = this.#headers.get(known);
    if (kept?.equals(authorization) === true) return kept;
    const header = new CachedHeader(authorization, known.authentication.method === 'jwt');
    this.#headers.set(known, header);
    return header;
  }
}

/** Longer ones are neither kept nor compared. */
const LONGEST = 8192;

/**
 * Characters at the end of a JWT that nobody can guess. They hold at least 128 bits of the signature, and every
 * algorithm has as many (RFC 6749 §10.10, RFC 7518 §3.1).
 */
const SIGNATURE_END = 22;

/** A header with a token. Comparing it with others takes a constant time, which reveals nothing about the token. */
export class CachedHeader {
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
