import type { IncomingMessage } from 'node:http';
import { findNetwork } from '../../../../core/network/find-network.js';

/** A request of an adapter that knows which proxies to trust. */
interface AddressedRequest {
  readonly ip?: string | undefined;
}

/** Finds the network that a request comes from: behind a proxy, by what the adapter says that trusts it. */
export function findCallerNetwork(raw: IncomingMessage, request: unknown): string | undefined {
  const isForwarded = raw.headers['x-forwarded-for'] !== undefined;
  const address = (isForwarded ? (request as AddressedRequest).ip : undefined) ?? raw.socket.remoteAddress;
  return address === undefined ? undefined : findNetwork(address);
}
