import { ASSUMED_REVISION, findRevision, type Revision } from '../../../core/protocol/revisions.js';
import type { HttpExchange } from '../http/http-exchange.js';

/**
 * Selects the revision of a client that continues without a handshake: the one in its version header, else the one that the
 * specification tells servers to assume. There is none for a header that names a version without handshakes.
 *
 * @see MCP 2025-06-18 basic/transports, "Protocol Version Header"
 */
export function selectAssumedRevision({ headers }: Pick<HttpExchange, 'headers'>): Revision | undefined {
  const version = headers['mcp-protocol-version'];
  if (version === undefined) return ASSUMED_REVISION;
  const revision = typeof version === 'string' ? findRevision(version) : undefined;
  return revision?.kind === 'handshake' ? revision : undefined;
}

/** Tells whether the opener of a stream had one before. It then knows an event of that stream, or the negotiated version. */
export function isReturning({ headers }: Pick<HttpExchange, 'headers'>): boolean {
  return headers['last-event-id'] !== undefined || headers['mcp-protocol-version'] !== undefined;
}
