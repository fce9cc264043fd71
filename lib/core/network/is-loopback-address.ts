import { findFamily, listNetworks } from './special-networks.js';

const LOOPBACK = listNetworks(['127.0.0.0/8', '::1/128']);

/** Returns whether an address can be reached only from this machine. "0.0.0.0" and "::" mean every address. */
export function isLoopbackAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  return LOOPBACK.check(plain, findFamily(plain));
}
