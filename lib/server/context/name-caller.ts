import { findCallerAddress } from './caller-address.js';
import type { McpContext } from './mcp-context.interface.js';

/** Names the caller for which a call counts. */
export function nameCaller({ auth, http, session }: McpContext): string {
  const { claims } = auth;
  if (claims?.sub !== undefined) return format('subject', claims.iss, claims.sub);
  if (claims?.clientId !== undefined) return format('client', claims.iss, claims.clientId);
  const address = http && findCallerAddress(Object(http.request) as object);
  if (address !== undefined) return format('address', address);
  // Everybody may be behind a proxy that is not trusted.
  if (session !== undefined) return format('session', session.id);
  return http === undefined ? 'pipe' : 'stranger';
}

/** No text that a token has can be taken for two. */
function format(kind: string, ...parts: readonly (string | undefined)[]): string {
  return `${kind} ${JSON.stringify(parts.map((part) => part ?? null))}`;
}
