import { describe, expect, it } from '@jest/globals';
import { buildRecordOwner } from '../../../../lib/server/cluster/build-record-owner.js';

describe('buildRecordOwner()', () => {
  it.each([
    ['a caller, wherever from', { identity: 'ada', address: '192.0.2.1' }, { caller: 'ada' }],
    ['an address, whichever the session', { address: '192.0.2.1' }, { share: 'address 192.0.2.1' }],
    ['a session, if no address is known', {}, { share: 'session 1' }],
    ['nobody, if nothing is known', { key: undefined }, {}],
  ])('counts a record for %s (RELAY-13)', (_who, owner, expected) => {
    expect(buildRecordOwner({ key: '1', ...owner })).toEqual(expected);
  });
});
