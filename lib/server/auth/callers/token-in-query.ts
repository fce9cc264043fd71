import type { AdapterRequest } from '../auth-state.js';

/**
 * Tells whether a request has a token in its query, if none is taken: URLs are written to logs.
 *
 * @see RFC 6750 §2.3, MCP 2026-07-28 basic/authorization, "Token Requirements"
 */
export function hasTokenInQuery({ url, raw }: AdapterRequest): boolean {
  const target = url ?? raw?.url ?? '';
  const start = target.indexOf('?');
  return start !== -1 && new URLSearchParams(target.slice(start)).has('access_token');
}
