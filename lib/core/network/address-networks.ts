import { BlockList } from 'node:net';

/** Networks whose addresses point to this machine. */
export const LOOPBACK_NETWORKS: readonly string[] = ['0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128'];

/**
 * Networks that belong neither to this machine nor to the public internet. One of them looks public, but points to
 * services of the machine's cloud.
 *
 * @see RFC 6890, and the IANA registries of special-purpose addresses
 */
export const PRIVATE_NETWORKS: readonly string[] = [
  '10.0.0.0/8', // private
  '100.64.0.0/10', // behind a carrier's translation
  '168.63.129.16/32', // Azure's own services
  '169.254.0.0/16', // link-local, and with it the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // buses of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '64:ff9b:1::/48', // a network's own translation
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
  'fc00::/7', // unique local
  'fe80::/10', // link-local
  'fec0::/10', // local to a site
  'ff00::/8', // multicast
];

/** Combines networks of both families into one list for lookups. */
export function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/**
 * Finds the family of a valid address. Node's `isIPv6()` uses a regular expression that takes milliseconds to compile
 * at every start.
 */
export function findFamily(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

const LOOPBACK_ADDRESSES = listNetworks(['127.0.0.0/8', '::1/128']);

/** Returns whether an address can be reached only from this machine. "0.0.0.0" and "::" mean every address. */
export function isLoopbackAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  return LOOPBACK_ADDRESSES.check(plain, findFamily(plain));
}

/** Proxy networks. A connection from there may belong to any client. */
const PROXY_NETWORKS = listNetworks([
  ...LOOPBACK_NETWORKS,
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
]);

/** Returns whether an address may belong to a proxy rather than to a caller from the public internet. */
export function mayBeProxy(address: string): boolean {
  const plain = stripZone(address);
  return PROXY_NETWORKS.check(plain, findFamily(plain));
}

/**
 * Returns the part of an address that counts as one caller: the whole IPv4 address, or the first 64 bits of an IPv6
 * address. A caller chooses the other bits freely.
 *
 * @see RFC 4291 §2.5.4, RFC 8981
 */
export function formatAddressGroup(address: string): string {
  const plain = stripZone(address);
  if (findFamily(plain) === 'ipv4') return plain;
  const groups = expand(plain);
  const [high = '0', low = '0'] = groups.slice(6);
  const isMapped = groups[5] === 'ffff' && groups.slice(0, 5).every((group) => group === '0');
  return isMapped ? formatIPv4(high, low) : `${groups.slice(0, 4).join(':')}::/64`;
}

function stripZone(address: string): string {
  const [plain = ''] = address.split('%', 1);
  return plain;
}

/** Returns the eight groups of an IPv6 address, as hexadecimal numbers without leading zeros. */
function expand(address: string): readonly string[] {
  // A URL normalizes every form of an address: lower case, without dots, with its longest run of zeros omitted.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
  const [before, after] = [split(head), split(tail ?? '')];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}

function split(groups: string): readonly string[] {
  return groups === '' ? [] : groups.split(':');
}

function formatIPv4(high: string, low: string): string {
  const bytes = [high, low].flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 0xff];
  });
  return bytes.join('.');
}
