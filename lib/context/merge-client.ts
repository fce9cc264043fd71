import { mergeCapabilities } from '../protocol/capabilities.js';
import { isObject } from '../protocol/json-rpc.js';
import { MetaKey, type RequestMeta } from '../protocol/meta-keys.js';
import type { ClientView } from './mcp-context.interface.js';
import type { Peer } from './peer.interface.js';

/** Adds what one request of a session declares to what its client declared at the handshake; it takes nothing back. */
export function mergeClient({ client, session }: Peer, meta: RequestMeta): ClientView {
  const declared = meta[MetaKey.clientCapabilities];
  if (session === undefined || !isObject(declared)) return client;
  return { ...client, capabilities: mergeCapabilities(client.capabilities, declared) };
}
