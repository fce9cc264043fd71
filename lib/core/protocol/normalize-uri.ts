/** Scheme, authority, path, and the rest (RFC 3986 Appendix B). */
const PARTS = /^([a-z][a-z\d+.-]*:)(\/\/[^/?#]*)?([^?#]*)(.*)$/is;

/** Schemes whose hosts name machines: every parser of URLs writes those in lower case (WHATWG URL, "special scheme"). */
const SPECIAL: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:', 'file:']);

const ENCODED = /%[\dA-Fa-f]{2}|[^\0-\x7F\uD800-\uDFFF]/gu;
const UNRESERVED = /^[\w\-.~]$/;

/**
 * Writes a URI in its normal form, which is the same text for all spellings: the scheme in lower case, no dot segments, and no
 * character percent-encoded without need. Only hosts that name machines are written in lower case. Others are often ids.
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

/** Writes the host in lower case whatever the scheme is, for those who look for the only URI that may be meant. */
export function foldUri(uri: string): string {
  const normal = normalizeUri(uri);
  const [, scheme = '', authority = '', path = '', rest = ''] = PARTS.exec(normal) ?? [];
  return authority === '' ? normal : scheme + lowerHost(authority) + path + rest;
}

/** What stands before the host is a user, whose case counts. */
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

/** Resolves `.` and `..` (RFC 3986 §5.2.4), which only a path that begins at its root has. */
function removeDotSegments(path: string): string {
  if (!path.startsWith('/') || !path.includes('/.')) return path;
  const segments = path.slice(1).split('/');
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') kept.push('');
  return `/${kept.join('/')}`;
}
