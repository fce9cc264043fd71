import { findFamily, listNetworks } from './special-networks.js';

const LOOPBACK = listNetworks(['127.0.0.0/8', '::1/128']);

/** Tells whether what listens at an address is reached from this machine alone; "0.0.0.0" and "::" stand for every address. */
export function isLoopbackAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  return LOOPBACK.check(plain, findFamily(plain));
}
