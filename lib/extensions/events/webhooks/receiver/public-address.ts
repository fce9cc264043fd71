import { BlockList, isIP } from 'node:net';

/**
 * IPv4 addresses that are not the internet's, from the registry of special-purpose addresses, and one that looks public but leads
 * into the cloud that a machine is in.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // behind a carrier's translation
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own services
  '169.254.0.0/16', // link-local, and with it the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/** All that is unicast and global in IPv6; everything outside is loopback, mapped, translated, local or not given out. */
const GLOBAL_IPV6 = ['2000::/3'];

/** Of the global ones: what stands for IPv4 addresses of any kind, and what is nobody's. */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
];

const REFUSED_IPV4 = listNetworks(SPECIAL_IPV4, 'ipv4');
const TAKEN_IPV6 = listNetworks(GLOBAL_IPV6, 'ipv6');
const REFUSED_IPV6 = listNetworks(SPECIAL_IPV6, 'ipv6');

/**
 * Tells whether an address is one of the public internet's.
 *
 * @see RFC 6890, and the IANA registries of special-purpose addresses
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !REFUSED_IPV4.check(address, 'ipv4');
    case 6:
      return isPublicIpv6(address);
    default:
      return false;
  }
}

/** An address of one interface of this machine has its zone behind it. */
function isPublicIpv6(address: string): boolean {
  if (address.includes('%')) return false;
  return TAKEN_IPV6.check(address, 'ipv6') && !REFUSED_IPV6.check(address, 'ipv6');
}

function listNetworks(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
