import { describe, expect, it } from '@jest/globals';
import { formatAddressGroup, mayBeProxy } from '../../../../lib/core/network/address-networks.js';

describe('formatAddressGroup', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::203.0.113.7', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('counts %s as %s (FAIR-03)', (address, group) => {
    expect(formatAddressGroup(address)).toBe(group);
  });
});

describe('mayBeProxy', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    'fd00::1',
    'fe80::1%eth0',
  ])('takes %s for an address that a proxy may have (FAIR-03)', (address) =>
    expect(mayBeProxy(address)).toBe(true),
  );

  it.each(['8.8.8.8', '203.0.113.7', '172.32.0.1', '2001:db8::1', '::ffff:8.8.8.8'])(
    'takes %s for the address of a caller (FAIR-03)',
    (address) => expect(mayBeProxy(address)).toBe(false),
  );
});
