import { findUrl } from '../../core/oauth/find-url.js';
import { isAtOrBelow } from './is-at-or-below.js';

/** Knows the URLs of one server: each configured URL, and everything below its path. */
export class ServerScope {
  readonly #places: readonly URL[];

  constructor(urls: readonly string[]) {
    this.#places = urls.map((url) => new URL(url));
  }

  /** Tells whether a URL is the server's, so that its token may be sent there. */
  includes(url: string): boolean {
    const found = findUrl(url);
    if (found === undefined) return false;
    const { origin, pathname } = found;
    return this.#places.some((place) => place.origin === origin && isAtOrBelow(pathname, place.pathname));
  }
}
