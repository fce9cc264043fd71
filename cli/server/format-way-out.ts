/**
 * Says what to do if a login does not come back. An authorization server that does not know the client must not redirect, so that only its
 * page has the error (RFC 6749 §4.1.2.1).
 */
export function formatWayOut({ href }: URL): string {
  return `If the page shows an error such as "invalid_client", press Ctrl-C, run the following, and log in again:\n  npx nestjs-mcp-cli logout ${href}`;
}
