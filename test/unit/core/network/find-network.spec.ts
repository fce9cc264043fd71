import { describe, expect, it } from '@jest/globals';
import { findNetwork } from '../../../../lib/core/network/find-network.js';

describe('findNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8::1', '2001:db8:0:0::'],
    ['2001:db8:1:2::9', '2001:db8:1:2::'],
    ['::1', '0:0:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
  ])('takes %s for a caller from %s (FAIR-02)', (address, network) => {
    expect(findNetwork(address)).toBe(network);
  });
});
