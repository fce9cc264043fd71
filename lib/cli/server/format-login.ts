/** Says where to log in, and what to do if nothing comes back from there. */
export function formatLogin(page: string, server: URL): string {
  return `Log in in your browser, at ${new URL(page).host}\n${formatWayOut(server)}`;
}

/** Says the same if no browser could be opened. */
export function formatUnopened(page: string, server: URL): string {
  return `No browser could be opened here. Open this page to log in:\n  ${page}\n${formatWayOut(server)}`;
}

/** An authorization server that does not know the client must not redirect, so that only its page has the error (RFC 6749 §4.1.2.1). */
function formatWayOut({ href }: URL): string {
  return `If the page shows an error such as "invalid_client", press Ctrl-C, run the following, and log in again:\n  npx nestjs-mcp logout ${href}`;
}
