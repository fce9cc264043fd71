import { callable, list, object, positive, required } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import { createLimitedFetch, MAXIMUM_RESPONSE_BYTES, MORE_BYTES } from '../../core/network/limited-fetch.js';
import { findUrl, isSecureUrl } from '../../core/oauth/secure-url.js';
import { AuthorizedCall } from './authorized-call.js';
import { InsecureEndpointError } from './errors.js';
import { isAtOrBelow } from './discovery/resource-metadata.js';
import { checked, insecureHosts as hosts, url as address } from './source-options.js';
import { TokenProvider } from './token-provider.js';
import type { TokenSource } from './token-source.js';

/** Knows the URLs of one server: each configured URL, and everything below its path. */
class ServerScope {
  readonly #roots: readonly URL[];

  constructor(urls: readonly string[]) {
    this.#roots = urls.map((url) => new URL(url));
  }

  /** Returns whether a URL belongs to the server, so that its token may be sent there. */
  includes(url: string): boolean {
    const found = findUrl(url);
    if (found === undefined) return false;
    const { origin, pathname } = found;
    return this.#roots.some((root) => root.origin === origin && isAtOrBelow(pathname, root.pathname));
  }
}

/** Options of `createAuthorizedFetch()`. */
export interface AuthorizedFetchOptions {
  /** The MCP server's URL. */
  readonly serverUrl: string | URL;
  /** Provides the tokens. */
  readonly tokenSource: TokenSource;
  /**
   * Additional URLs of the same server, such as the HTTP+SSE message endpoint. Each covers everything below its path.
   * @default []
   */
  readonly alsoAt?: readonly (string | URL)[];
  /**
   * The server's hosts that may receive tokens over plain `http`. Anyone on the network path can read these tokens.
   * @default []
   */
  readonly insecureHosts?: readonly string[] | undefined;
  /**
   * The maximum size of a response, or of an event in a stream, in bytes after decoding. Larger responses fail with
   * {@link ResponseTooLargeError}.
   * @default 8388608, 8 MB
   */
  readonly maxResponseBytes?: number | undefined;
  /** Sends the calls. @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

export const AUTHORIZED_FETCH = optionGroup<AuthorizedFetchOptions, 'fetch'>({
  serverUrl: required(address),
  tokenSource: required(object),
  alsoAt: [list(address), []],
  insecureHosts: [hosts, []],
  maxResponseBytes: [positive, MAXIMUM_RESPONSE_BYTES],
  fetch: callable,
});

/**
 * Creates a `fetch` that adds a token to each call to one server only. If the server requires a token, or more
 * scopes, the call is resent with one: once for status 401 and once for 403.
 *
 * Calls to other URLs are sent unchanged. Calls with a token do not follow redirects. Stream bodies are never resent.
 *
 * @example
 * const fetch = createAuthorizedFetch({ serverUrl, tokenSource: new StaticTokenSource(token) });
 * const transport = new StreamableHTTPClientTransport(new URL(serverUrl), { fetch });
 *
 * @throws {TypeError} if an entry in `insecureHosts` is not a host, or `maxResponseBytes` is not a positive integer
 * @throws {InsecureEndpointError} if tokens would be sent over `http` to another machine
 * @see MCP 2026-07-28 basic/authorization, RFC 6750
 */
export function createAuthorizedFetch(options: AuthorizedFetchOptions): typeof fetch {
  const settings = AUTHORIZED_FETCH.build(checked(AUTHORIZED_FETCH, options));
  const { tokenSource, alsoAt, insecureHosts, maxResponseBytes: maxBytes } = settings;
  const { fetch: send = globalThis.fetch } = settings;
  const serverUrl = String(options.serverUrl);
  const urls = [serverUrl, ...alsoAt.map(String)];
  for (const url of urls)
    if (!isSecureUrl(url, insecureHosts)) throw new InsecureEndpointError(url, 'serverUrl');
  const server = new ServerScope(urls);
  const tokens = new TokenProvider(tokenSource);
  const sendLimited = createLimitedFetch(send, { maxBytes, fix: MORE_BYTES });
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!server.includes(url)) return send(input, init);
    return new AuthorizedCall({ serverUrl, tokens, send: sendLimited, input, init }).run();
  };
}
