import { findUrl } from '../../../core/oauth/find-url.js';
import { isAtOrBelow } from '../is-at-or-below.js';

/**
 * Tells whether a server is part of a resource: it has the same origin, and its path is the resource's or below it.
 *
 * @see RFC 9728 §3.3, RFC 8707 §2
 */
export function isResourceOf(resource: string, serverUrl: string): boolean {
  const named = findUrl(resource);
  if (named === undefined || resource.includes('#')) return false;
  const server = new URL(serverUrl);
  if (named.origin !== server.origin || named.origin === 'null') return false;
  if (named.username + named.password !== '') return false;
  if (named.search !== '' && named.search !== server.search) return false;
  return isAtOrBelow(server.pathname, named.pathname);
}
