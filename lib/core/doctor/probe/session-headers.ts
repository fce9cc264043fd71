const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Builds the headers of a request in a session, from what the server answered to the handshake. A value that no header can carry is left out. */
export function buildSessionHeaders(id: unknown, version: unknown): { readonly [name: string]: string } {
  return {
    ...(isSendable(id) && { 'mcp-session-id': id }),
    ...(isSendable(version) && { 'mcp-protocol-version': version }),
  };
}

/** Tells whether a header can carry a value that the server gave. */
export function isSendable(value: unknown): value is string {
  return typeof value === 'string' && VISIBLE_ASCII.test(value);
}
