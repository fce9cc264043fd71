import type { TokenOrigin } from './authorization-header.js';
import type { ReusableValidation } from './validators/validator.interface.js';

interface LastCaller {
  readonly known: ReusableValidation;
  /**
   * Absent until the same caller sends a second request. If callers alternate, as they do behind a proxy, none is
   * cached.
   */
  header?: CachedHeader;
}

/**
 * Caches the last `Authorization` header of each connection with its caller. Clients repeat the header with every
 * request, and comparing it costs a fraction of a token digest.
 */
export class CallerCache {
  #last = new WeakMap<object, LastCaller>();
  /** All connections of a caller share one copy, which saves memory and stays in the CPU cache. */
  #headers = new WeakMap<ReusableValidation, CachedHeader>();

  /**
   * Returns a request's caller, if it has the same token as the last caller of the connection and the token is still
   * valid.
   */
  recall({ connection, authorization }: TokenOrigin): ReusableValidation | undefined {
    const last = this.#last.get(connection);
    if (last?.header?.equals(authorization) !== true) return undefined;
    if (last.known.isCurrent()) return last.known;
    this.#last.delete(connection);
    return undefined;
  }

  /** Caches a request's caller, and replaces the previous one. */
  remember({ connection, authorization }: TokenOrigin, known: ReusableValidation): void {
    const last = this.#last.get(connection);
    if (last?.known === known) last.header = this.#keepHeader(known, authorization);
    else this.#last.set(connection, { known });
  }

  /** Clears the cache. */
  clear(): void {
    this.#last = new WeakMap();
    this.#headers = new WeakMap();
  }

  #keepHeader(known: ReusableValidation, authorization: string): CachedHeader {
    const cached = this.#headers.get(known);
    if (cached?.equals(authorization) === true) return cached;
    const header = new CachedHeader(authorization, known.authentication.method === 'jwt');
    this.#headers.set(known, header);
    return header;
  }
}

/** Longer headers are neither cached nor compared. */
const LONGEST = 8192;

/**
 * Characters at the end of a JWT that cannot be guessed. They contain at least 128 bits of the signature, which every
 * algorithm has (RFC 6749 §10.10, RFC 7518 §3.1).
 */
const SIGNATURE_END = 22;

/** A cached header with a token. Comparisons run in constant time, so they reveal nothing about the token. */
export class CachedHeader {
  /** Absent if the header is too long. */
  readonly #header: string | undefined;
  /** The index at which the secret part begins. */
  readonly #start: number;
  /** The character codes of the secret part, because reading them from the header each time would double the cost. */
  readonly #secret: ArrayLike<number>;

  /** @param isSigned whether the token ends with a verified signature; any other token is secret throughout */
  constructor(header: string, isSigned: boolean) {
    this.#header = header.length > LONGEST ? undefined : header;
    const end = header.trimEnd().length;
    this.#start = isSigned ? Math.max(0, end - SIGNATURE_END) : 0;
    const codes = listCodes(this.#header?.slice(this.#start, end) ?? '');
    // A plain array is fastest for a few numbers, and a typed array is smallest for many.
    this.#secret = isSigned ? codes : Uint16Array.from(codes);
  }

  /** Returns whether a header is the same. Headers of more than 8192 characters never match. */
  equals(header: string): boolean {
    const cached = this.#header;
    if (cached === undefined || header.length !== cached.length) return false;
    const start = this.#start;
    const secret = this.#secret;
    // `timingSafeEqual()` needs bytes, and encoding the header is slower than this loop.
    let difference = 0;
    for (let index = 0; index < secret.length; index += 1) {
      difference |= header.charCodeAt(start + index) ^ (secret[index] ?? 0);
    }
    // Only holders of the secret reach the second comparison, which is not constant-time.
    return difference === 0 && header === cached;
  }
}

function listCodes(text: string): number[] {
  const codes: number[] = [];
  for (let index = 0; index < text.length; index += 1) codes.push(text.charCodeAt(index));
  return codes;
}
