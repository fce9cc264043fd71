import { isIP } from 'node:net';
import { formatAddressGroup, mayBeProxy } from '../../core/network/address-group.js';

/** A request as adapters have it, with the address that their setting `trust proxy` gives. */
interface AddressedRequest {
  readonly ip?: unknown;
  readonly raw?: AddressedRequest;
  readonly socket?: { readonly remoteAddress?: string | undefined } | null;
}

/** What is known of who calls. */
interface CallingContext {
  readonly identity: string | undefined;
  readonly http?: { readonly request: unknown } | undefined;
}

/** Finds the address of a caller who brings no token; whoever brings one is known by that. */
export function findStrangerAddress({ identity, http }: CallingContext): string | undefined {
  return identity === undefined && http ? findCallerAddress(Object(http.request)) : undefined;
}

/**
 * Finds the address that a request counts for, by the adapter's own `ip`. There is none if the request came straight from a network
 * in which proxies are, and no proxy is trusted: everybody may be behind it.
 */
export function findCallerAddress(request: object): string | undefined {
  const { ip, raw, socket = raw?.socket }: AddressedRequest = request;
  const connected = socket?.remoteAddress;
  const address = typeof ip === 'string' && isIP(ip) !== 0 ? ip : connected;
  if (address === undefined || isIP(address) === 0) return undefined;
  const isToldByProxy = address !== connected;
  return isToldByProxy || !mayBeProxy(address) ? formatAddressGroup(address) : undefined;
}
