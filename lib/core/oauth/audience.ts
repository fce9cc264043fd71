/**
 * Returns whether two audiences are the same. URLs are compared as URLs, ignoring one trailing slash; anything else
 * is compared exactly.
 *
 * @see RFC 8707 §2, RFC 7519 §4.1.3, RFC 3986 §6.2.2.1, §6.2.3
 */
export function isSameAudience(expected: string, found: string): boolean {
  if (expected === found) return true;
  const [first, second] = [normalize(expected), normalize(found)];
  return first !== undefined && first === second;
}

const HTTP_URL = /^(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d+))?(\/[^?#\s\\]*)?(\?[^#\s]*)?$/i;

const DEFAULT_PORTS: { readonly [scheme: string]: string } = { http: '80', https: '443' };

/**
 * Normalizes a URL. Returns `undefined` for anything else.
 *
 * URLs are compared as written. A URL parser may treat two spellings as the same, for example because of dot segments,
 * encodings or similar letters, but an authorization server may treat them as two resources.
 */
function normalize(text: string): string | undefined {
  const [, scheme, host, port, path = '', query = ''] = HTTP_URL.exec(text) ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  const origin = `${scheme}://${host}`.toLowerCase();
  const shownPort = port === undefined || port === DEFAULT_PORTS[scheme.toLowerCase()] ? '' : `:${port}`;
  return `${origin}${shownPort}${path.endsWith('/') ? path.slice(0, -1) : path}${query}`;
}

/**
 * Returns whether the resource in the metadata is the endpoint, or a parent path at the same origin. Clients accept
 * tokens only for these.
 *
 * @see MCP 2026-07-28 basic/authorization, "Canonical Server URI"
 */
export function coversEndpoint(resource: URL, endpoint: URL): boolean {
  const above = resource.pathname.endsWith('/') ? resource.pathname : `${resource.pathname}/`;
  const isAbove = `${endpoint.pathname}/`.startsWith(above);
  return resource.origin === endpoint.origin && resource.search === '' && isAbove;
}
