import { isHeaderWord } from '../../words/is-header-word.js';

/** Builds the headers of a request in a session, from what the server answered to the handshake. A value that no header can carry is left out. */
export function buildSessionHeaders(id: unknown, version: unknown): { readonly [name: string]: string } {
  return {
    ...(isHeaderWord(id) && { 'mcp-session-id': id }),
    ...(isHeaderWord(version) && { 'mcp-protocol-version': version }),
  };
}
