import { BlockList, isIP } from 'node:net';

/** From where an address is reached: everywhere, the same network, or the same machine. */
export type Reach = 'public' | 'private' | 'loopback';

const LOOPBACK = createList(['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128']);

/** What RFC 6890 sets apart, carriers' shared addresses and those of cloud metadata among it. */
const PRIVATE = createList([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '64:ff9b:1::/48',
  '2001::/32',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

const LOOPBACK_NAME = /(^|\.)localhost\.?$/i;

/** Names that no public zone has (RFC 6762, RFC 8375, and `internal`, which ICANN keeps for private use). */
const PRIVATE_NAME = /\.(local|internal|home\.arpa)\.?$/i;

/** Tells from where a host is reached; nothing where that depends on what its name resolves to. */
export function findReach(hostname: string): Reach | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(host);
  if (version === 0) return findReachOfName(host);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(host, family)) return 'loopback';
  return PRIVATE.check(host, family) ? 'private' : 'public';
}

function findReachOfName(name: string): Reach | undefined {
  if (LOOPBACK_NAME.test(name)) return 'loopback';
  return PRIVATE_NAME.test(name) ? 'private' : undefined;
}

/**
 * IPv4 addresses stand for themselves, and for the IPv6 addresses that they are part of: translated ones (RFC 6052), tunnelled
 * ones (RFC 3056) and the first form of both (RFC 4291 §2.5.5.1).
 */
function createList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', length] = subnet.split('/');
    const prefix = Number(length);
    if (network.includes(':')) {
      list.addSubnet(network, prefix, 'ipv6');
      continue;
    }
    list.addSubnet(network, prefix, 'ipv4');
    list.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
    list.addSubnet(`::${network}`, 96 + prefix, 'ipv6');
    list.addSubnet(`2002:${formatGroups(network)}::`, 16 + prefix, 'ipv6');
  }
  return list;
}

/** Writes an IPv4 address as two groups of an IPv6 address. */
function formatGroups(address: string): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = address.split('.').map(Number);
  return [first * 256 + second, third * 256 + fourth].map((group) => group.toString(16)).join(':');
}
