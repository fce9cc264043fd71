import type { IncomingMessage } from 'node:http';
import { namesEventStream, namesMediaType } from '../../../../core/protocol/headers/media-type.js';

/** What only MCP clients send with a GET. */
const OF_CLIENTS = ['mcp-session-id', 'mcp-protocol-version', 'last-event-id', 'origin'];

/**
 * Tells whether a GET request comes from a browser whose user opens an address. It accepts HTML by name, and no event
 * stream. If a browser says what a request is for, it must be a navigation. Requests that a page embeds or fetches do
 * not count.
 *
 * @see Fetch Metadata §2.1, §2.2
 */
export function isNavigation({ headers }: IncomingMessage): boolean {
  if (!namesMediaType(headers.accept, 'text/html') || namesEventStream(headers.accept)) return false;
  if (OF_CLIENTS.some((name) => headers[name] !== undefined)) return false;
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  return mode === 'navigate' && destination === 'document';
}
