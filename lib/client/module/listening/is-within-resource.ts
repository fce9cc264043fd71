/** Where one part of a URI ends and the next one begins (RFC 3986 §3). */
const BOUNDARY = /[/?#]/;

/**
 * Tells whether a resource is another one or a part of it: below its path, selected by a query or named by a fragment. Two
 * URIs that only begin alike are two resources.
 *
 * @see MCP 2025-11-25 schema, `ResourceUpdatedNotificationParams`: "This might be a sub-resource"
 */
export function isWithinResource(resource: string, uri: string): boolean {
  if (!uri.startsWith(resource)) return false;
  const next = uri.charAt(resource.length);
  return next === '' || BOUNDARY.test(next) || BOUNDARY.test(resource.slice(-1));
}
