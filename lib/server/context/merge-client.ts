import { mergeCapabilities, parseCapabilities } from '../../core/protocol/capabilities.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { MetaKey, type RequestMeta } from '../../core/protocol/meta-keys.js';
import type { ClientView } from './mcp-context.interface.js';
import type { Peer } from './peer.interface.js';

/** Adds the capabilities of one request to those of the handshake. Nothing is removed. */
export function mergeClient({ client, revision }: Peer, meta: RequestMeta): ClientView {
  const declared = meta[MetaKey.clientCapabilities];
  // On the stateless wire that is all there is.
  if (revision.kind === 'perRequest' || !isObject(declared)) return client;
  return { ...client, capabilities: mergeCapabilities(client.capabilities, parseCapabilities(declared)) };
}
