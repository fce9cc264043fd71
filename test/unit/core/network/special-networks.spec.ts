import { describe, expect, it } from '@jest/globals';
import {
  listNetworks,
  LOOPBACK_NETWORKS,
  PRIVATE_NETWORKS,
} from '../../../../lib/core/network/address-networks.js';

describe('listNetworks (RFC 6890)', () => {
  const special = listNetworks([...LOOPBACK_NETWORKS, ...PRIVATE_NETWORKS]);

  it.each(['0.0.0.0', '127.255.255.255', '10.1.2.3', '168.63.129.16', '203.0.113.255', '255.255.255.255'])(
    'has %s among the special ones of IPv4 (CLI-10, EVT-01)',
    (address) => {
      expect(special.check(address, 'ipv4')).toBe(true);
    },
  );

  it.each(['::', '::1', '64:ff9b:1::7', '2001:1ff::1', '2001:db8::1', '3fff:fff::1', 'fd00::1', 'fe80::1'])(
    'has %s among the special ones of IPv6 (CLI-10, EVT-01)',
    (address) => {
      expect(special.check(address, 'ipv6')).toBe(true);
    },
  );

  it('has what is mapped where it has the address of IPv4 (CLI-10, EVT-01)', () => {
    expect(special.check('::ffff:10.1.2.3', 'ipv6')).toBe(true);
    expect(special.check('::ffff:8.8.8.8', 'ipv6')).toBe(false);
  });

  it('leaves the addresses of the public internet out (CLI-10, EVT-01)', () => {
    expect(special.check('168.63.129.17', 'ipv4')).toBe(false);
    expect(special.check('2606:4700::1111', 'ipv6')).toBe(false);
  });
});
