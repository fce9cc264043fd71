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
  /** The URL of the MCP server. */
  readonly serverUrl: string | URL;
  /** Provides the tokens. */
  readonly tokenSource: TokenSource;
  /**
   * Further URLs of the same server, such as the HTTP+SSE endpoint for messages. Each covers everything below its path.
   * @default []
   */
  readonly alsoAt?: readonly (string | URL)[];
  /** Hosts of the server that may receive tokens over plain `http`. Anyone on the network path can read these tokens. @default [] */
  readonly insecureHosts?: readonly string[] | undefined;
  /**
   * The most bytes of one response, or of one event in a stream, after decoding. Larger responses fail with {@link
   * ResponseTooLargeError}.
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
 * Creates a `fetch` that adds a token to each call to one server, and to no other. If the server asks for a token, or for more
 * scopes, the call is sent again with one: once for each of the statuses 401 and 403.
 *
 * Calls to other URLs are sent unchanged. A call with a token follows no redirect. A body that is a stream is not sent
 * twice.
 *
 * @example
 * const fetch = createAuthorizedFetch({ serverUrl, tokenSource: new StaticTokenSource(token) });
 * const transport = new StreamableHTTPClientTransport(new URL(serverUrl), { fetch });
 *
 * @throws {TypeError} if a member of `insecureHosts` is no host, or `maxResponseBytes` is no whole number above 0
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
