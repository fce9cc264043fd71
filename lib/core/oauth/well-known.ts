/** Returns the URL of a protected resource's metadata (RFC 9728 §3.1). */
export function buildResourceMetadataUrl(resource: string): string {
  return insertWellKnown(resource, 'oauth-protected-resource');
}

/**
 * Returns the well-known URLs for the metadata of a protected resource, in the order of attempts: the URL for its path,
 * then the URL for its root.
 *
 * @see RFC 9728 §3.1, MCP 2026-07-28 basic/authorization
 */
export function buildResourceMetadataUrls(resource: string): readonly [string, ...string[]] {
  const atPath = buildResourceMetadataUrl(resource);
  const atRoot = buildResourceMetadataUrl(new URL(resource).origin);
  return atPath === atRoot ? [atPath] : [atPath, atRoot];
}

/**
 * Returns the possible URLs of an authorization server's metadata, in the order of the attempts.
 *
 * @see RFC 8414 §3.1, OpenID Connect Discovery 1.0 §4, MCP 2025-11-25 basic/authorization
 */
export function buildServerMetadataUrls(issuer: string): readonly string[] {
  const { pathname, origin } = new URL(issuer);
  const path = trimSlash(pathname);
  const inserted = [
    insertWellKnown(issuer, 'oauth-authorization-server'),
    insertWellKnown(issuer, 'openid-configuration'),
  ];
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

/** Returns the path of the well-known document for a path; `/` is the root form. */
export function buildWellKnownPath(name: string, path: string): string {
  return `/.well-known/${name}${trimSlash(path)}`;
}

function insertWellKnown(identifier: string, name: string): string {
  const { origin, pathname, search } = new URL(identifier);
  return `${origin}${buildWellKnownPath(name, pathname)}${search}`;
}

/** Removes one trailing slash. */
export function trimSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
