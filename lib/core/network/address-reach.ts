import { isIP } from 'node:net';
import { isLoopbackName, isPrivateName } from './private-names.js';
import { listNetworks, LOOPBACK_NETWORKS, PRIVATE_NETWORKS } from './special-networks.js';
import { stripBrackets } from './strip-brackets.js';

/** The network from which an address can be reached: any, the same network, or the same machine. */
export type AddressScope = 'public' | 'private' | 'loopback';

const LOOPBACK = listNetworks(LOOPBACK_NETWORKS.flatMap(listForms));
const PRIVATE = listNetworks(PRIVATE_NETWORKS.flatMap(listForms));

/** Finds from where a host can be reached. Returns `undefined` if that depends on the addresses of its name. */
export function findAddressScope(hostname: string): AddressScope | undefined {
  const host = stripBrackets(hostname);
  const version = isIP(host);
  if (version === 0) return findReachOfName(host);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(host, family)) return 'loopback';
  return PRIVATE.check(host, family) ? 'private' : 'public';
}

function findReachOfName(name: string): AddressScope | undefined {
  if (isLoopbackName(name)) return 'loopback';
  return isPrivateName(name) ? 'private' : undefined;
}

/**
 * IPv4 addresses stand for themselves, and for the IPv6 addresses that contain them: translated ones (RFC 6052), tunnelled ones
 * (RFC 3056) and IPv4-compatible ones (RFC 4291 §2.5.5.1).
 */
function listForms(network: string): readonly string[] {
  if (network.includes(':')) return [network];
  const [address = '', length] = network.split('/');
  const prefix = Number(length);
  return [
    network,
    `64:ff9b::${address}/${96 + prefix}`,
    `::${address}/${96 + prefix}`,
    `2002:${formatGroups(address)}::/${16 + prefix}`,
  ];
}

/** Writes an IPv4 address as two groups of an IPv6 address. */
function formatGroups(address: string): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = address.split('.').map(Number);
  return [first * 256 + second, third * 256 + fourth].map((group) => group.toString(16)).join(':');
}
