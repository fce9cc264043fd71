import { isIP } from 'node:net';
import {
  listNetworks,
  LOOPBACK_NETWORKS,
  PRIVATE_NETWORKS,
} from '../../../../../core/network/special-networks.js';

/** All that is unicast and global in IPv6; everything outside is loopback, mapped, translated, local or not given out. */
const GLOBAL_IPV6 = listNetworks(['2000::/3']);

/** Addresses that contain IPv4 addresses, as 6to4 does, are refused together with private addresses. */
const REFUSED = listNetworks([...LOOPBACK_NETWORKS, ...PRIVATE_NETWORKS, '2002::/16']);

/** Tells whether an address is one of the public internet's. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !REFUSED.check(address, 'ipv4');
    case 6:
      return isPublicIpv6(address);
    default:
      return false;
  }
}

/** An address of one interface of this machine has its zone behind it. */
function isPublicIpv6(address: string): boolean {
  if (address.includes('%')) return false;
  return GLOBAL_IPV6.check(address, 'ipv6') && !REFUSED.check(address, 'ipv6');
}
