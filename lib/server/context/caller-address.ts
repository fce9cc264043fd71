import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { formatAddressGroup, mayBeProxy } from '../../core/network/address-group.js';

/** What an address counts as. */
interface AddressGroup {
  /** The part of an address that one caller has; `undefined` if the text is not an address. */
  readonly name: string | undefined;
  readonly mayBeProxy: boolean;
}

/** Every request asks, and most come from few addresses. */
const groups = new LRUCache<string, AddressGroup>({ max: 1000 });
const NO_GROUP: AddressGroup = { name: undefined, mayBeProxy: false };

/** A request as adapters have it, with the address that their setting `trust proxy` gives. */
interface AddressedRequest {
  readonly ip?: unknown;
  readonly raw?: AddressedRequest;
  readonly socket?: { readonly remoteAddress?: string | undefined } | null;
}

/** The known facts about the caller. */
interface CallingContext {
  readonly identity?: string | undefined;
  readonly http?: { readonly request: unknown } | undefined;
}

/** Finds the address of a caller without a token. A caller with a token is known by the token. */
export function findStrangerAddress({ identity, http }: CallingContext): string | undefined {
  return identity === undefined && http ? findCallerAddress(Object(http.request)) : undefined;
}

/**
 * Finds the address that a request counts for, by the adapter's own `ip`. There is no address if the request comes
 * directly from a network of proxies, and no proxy is trusted. Any caller could then be behind it.
 */
export function findCallerAddress(request: object): string | undefined {
  const { ip, raw, socket = raw?.socket }: AddressedRequest = request;
  const connected = socket?.remoteAddress;
  const told = typeof ip === 'string' && ip !== connected ? getGroup(ip) : NO_GROUP;
  if (told.name !== undefined) return told.name;
  const group = connected === undefined ? NO_GROUP : getGroup(connected);
  return group.mayBeProxy ? undefined : group.name;
}

function getGroup(address: string): AddressGroup {
  const known = groups.get(address);
  if (known !== undefined) return known;
  // A caller may write anything behind a proxy that is trusted: only addresses are kept.
  if (isIP(address) === 0) return NO_GROUP;
  const group = { name: formatAddressGroup(address), mayBeProxy: mayBeProxy(address) };
  groups.set(address, group);
  return group;
}
