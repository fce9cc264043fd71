import { findFamily, listNetworks, LOOPBACK_NETWORKS } from './special-networks.js';

/** Networks of proxies. A connection from there may belong to any client. */
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

/** Returns whether an address may belong to a proxy, rather than to a caller from the public internet. */
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
  // A URL writes every form of an address in the same way: in lower case, without dots, its longest row of zeros left out.
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
