import { findUrl } from '../../../core/oauth/secure-url.js';
import { trimSlash } from '../../../core/oauth/metadata.js';
import type { AdapterRequest } from '../auth-state.js';

/** The URL at which clients reach a server, and its path in the application. */
export interface KnownUrls {
  /** The endpoint URL for clients. */
  readonly resourceUri: string;
  /** The endpoint path in the application, which is known once the application is set up. */
  readonly endpoint: { readonly path: string };
}

/**
 * Matches the `htu` of a proof against the URLs that clients may use for a request. Proxy headers are ignored,
 * because any caller can send them.
 *
 * @see RFC 9449 §4.3, RFC 3986 §6.2.2, §6.2.3
 */
export class RequestTarget {
  readonly #origin: string;
  readonly #publicPath: string;

  constructor(private readonly places: KnownUrls) {
    const { origin, pathname } = new URL(places.resourceUri);
    this.#origin = origin;
    this.#publicPath = trimSlash(pathname);
  }

  /** Returns whether a URL is a request URL. */
  matches(htu: string, request: AdapterRequest): boolean {
    const named = normalizeUri(htu);
    if (named === undefined) return false;
    return this.#listPaths(readPath(request)).some((path) => normalizeUri(this.#origin + path) === named);
  }

  /** Returns the paths that clients may use for a path of the application. */
  #listPaths(path: string): readonly string[] {
    const own = this.places.endpoint.path;
    // The prefix that a proxy removes precedes every path.
    if (this.#publicPath.endsWith(own)) return [this.#publicPath.slice(0, -own.length) + path];
    const isOfEndpoint = path.slice(0, own.length).toLowerCase() === own.toLowerCase();
    const rest = path.slice(own.length);
    const isRewritten = isOfEndpoint && (rest === '' || rest.startsWith('/'));
    // The resource may be its origin's root.
    const isBelow = path === this.#publicPath || path.startsWith(`${this.#publicPath}/`);
    return [...(isRewritten ? [this.#publicPath + rest] : []), ...(isBelow || !isRewritten ? [path] : [])];
  }
}

/** Returns the requested path, before the application rewrote it. */
function readPath(request: AdapterRequest): string {
  const target = request.originalUrl ?? request.raw?.originalUrl ?? request.raw?.url ?? request.url ?? '';
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#][^]*/, '');
}

/** The syntax of an HTTP URI. URL parsers repair more than they should. */
const URI = /^https?:\/\/[^/?#\\][!#-;=?-[\]_a-z~]*$/i;

/** Characters that are equivalent encoded and unencoded (RFC 3986 §2.3). */
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Normalizes a URL, without query and fragment. Returns `undefined` if it is not a URL. */
export function normalizeUri(text: string): string | undefined {
  const url = URI.test(text) ? findUrl(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  const path = url.pathname.replace(/%([0-9a-f]{2})/gi, (encoded, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
  return url.origin + path;
}
