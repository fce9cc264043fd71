import { findUrl } from '../../../core/oauth/secure-url.js';
import { trimSlash } from '../../../core/oauth/metadata.js';
import type { AdapterRequest } from '../auth-state.js';

/** Where a server is, as clients know it and as the application does. */
export interface KnownUrls {
  /** The URL by which clients know the endpoint. */
  readonly resourceUri: string;
  /** The path of the endpoint in the application, which is asked for once that is set up. */
  readonly endpoint: { readonly path: string };
}

/**
 * Returns the URLs that a proof may name for a request: the ones that clients use for it. Headers of proxies are ignored,
 * because any caller can write them.
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

  /** Tells whether a URL is the one of a request. */
  matches(htu: string, request: AdapterRequest): boolean {
    const named = normalizeUri(htu);
    if (named === undefined) return false;
    return this.#listPaths(readPath(request)).some((path) => normalizeUri(this.#origin + path) === named);
  }

  /** Returns the paths that clients may use for a path of the application. */
  #listPaths(path: string): readonly string[] {
    const own = this.places.endpoint.path;
    // The prefix that a proxy removes comes before every path.
    if (this.#publicPath.endsWith(own)) return [this.#publicPath.slice(0, -own.length) + path];
    const isOfEndpoint = path.slice(0, own.length).toLowerCase() === own.toLowerCase();
    const rest = path.slice(own.length);
    const isRewritten = isOfEndpoint && (rest === '' || rest.startsWith('/'));
    // A resource may be named by the root of its origin.
    const isBelow = path === this.#publicPath || path.startsWith(`${this.#publicPath}/`);
    return [...(isRewritten ? [this.#publicPath + rest] : []), ...(isBelow || !isRewritten ? [path] : [])];
  }
}

/** Returns the path that was asked for, before the application changed it. */
function readPath(request: AdapterRequest): string {
  const target = request.originalUrl ?? request.raw?.originalUrl ?? request.raw?.url ?? request.url ?? '';
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#][^]*/, '');
}

/** What stands in no URI is not read as one: parsers of URLs mend more than they should. */
const URI = /^https?:\/\/[^/?#\\][!#-;=?-[\]_a-z~]*$/i;

/** Characters that mean the same encoded or not (RFC 3986 §2.3). */
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Returns a URL in its one form, without query and fragment, or `undefined` if the text is not one. */
export function normalizeUri(text: string): string | undefined {
  const url = URI.test(text) ? findUrl(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  const path = url.pathname.replace(/%([0-9a-f]{2})/gi, (encoded, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
  return url.origin + path;
}
