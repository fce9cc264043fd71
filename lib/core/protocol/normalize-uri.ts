/** Scheme, authority, path, and the rest (RFC 3986 Appendix B). */
const PARTS = /^([a-z][a-z\d+.-]*:)(\/\/[^/?#]*)?([^?#]*)(.*)$/is;

/** Schemes whose hosts are case-insensitive: every URL parser writes them in lower case (WHATWG URL, "special scheme"). */
const SPECIAL: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:', 'file:']);

const ENCODED = /%[\dA-Fa-f]{2}|[^\0-\x7F\uD800-\uDFFF]/gu;
const UNRESERVED = /^[\w\-.~]$/;

/**
 * Normalizes a URI, so that all spellings become the same string: the scheme in lower case, no dot segments, and no
 * character needlessly percent-encoded. Only host names are lowercased, because in other schemes the authority is
 * often an ID.
 *
 * @see RFC 3986 §6.2.2, RFC 3987 §3.1
 */
export function normalizeUri(uri: string): string {
  const [, scheme, authority = '', path = '', rest = ''] = PARTS.exec(uri) ?? [];
  if (scheme === undefined) return uri;
  const name = scheme.toLowerCase();
  const host = SPECIAL.has(name) ? lowerHost(authority) : authority;
  const resolved = removeDotSegments(encode(path));
  // A path must not become an authority (RFC 3986 §3.3).
  const isSafe = authority !== '' || !resolved.startsWith('//');
  return name + encode(host) + (isSafe ? resolved : encode(path)) + encode(rest);
}

/** Also lowercases the host, whatever the scheme, to find the only URI that may be meant. */
export function foldUri(uri: string): string {
  const normal = normalizeUri(uri);
  const [, scheme = '', authority = '', path = '', rest = ''] = PARTS.exec(normal) ?? [];
  return authority === '' ? normal : scheme + lowerHost(authority) + path + rest;
}

/** User information before the host is case-sensitive. */
function lowerHost(authority: string): string {
  const at = authority.lastIndexOf('@') + 1;
  return authority.slice(0, at) + authority.slice(at).toLowerCase();
}

function encode(part: string): string {
  return part.replaceAll(ENCODED, (piece) => {
    if (!piece.startsWith('%')) return encodeURIComponent(piece);
    const character = String.fromCodePoint(Number.parseInt(piece.slice(1), 16));
    return UNRESERVED.test(character) ? character : piece.toUpperCase();
  });
}

/** Resolves `.` and `..` (RFC 3986 §5.2.4), which only absolute paths have. */
function removeDotSegments(path: string): string {
  if (!path.startsWith('/') || !path.includes('/.')) return path;
  const segments = path.slice(1).split('/');
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') resolved.pop();
    else if (segment !== '.') resolved.push(segment);
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') resolved.push('');
  return `/${resolved.join('/')}`;
}
