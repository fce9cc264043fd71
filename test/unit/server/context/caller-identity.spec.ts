import { describe, expect, it } from '@jest/globals';
import { findCallerAddress, findAnonymousAddress } from '../../../../lib/server/context/caller-identity.js';

describe('findCallerAddress', () => {
  const socket = (remoteAddress?: string) => ({ socket: { remoteAddress } });

  it.each<[string, object, string | undefined]>([
    ['a connection of the public internet', socket('203.0.113.7'), '203.0.113.7'],
    ['one that the adapter wraps', { ip: '203.0.113.7', raw: socket('203.0.113.7') }, '203.0.113.7'],
    ['a proxy that is trusted', { ip: '203.0.113.7', ...socket('127.0.0.1') }, '203.0.113.7'],
    [
      'a trusted proxy before callers of its own network',
      { ip: '10.0.0.7', ...socket('10.0.0.1') },
      '10.0.0.7',
    ],
    ['a proxy that nobody trusts', { ip: '10.0.0.1', ...socket('10.0.0.1') }, undefined],
    ['this machine', socket('::ffff:127.0.0.1'), undefined],
    ['a network of IPv6', { ip: '2001:db8::1', ...socket('2001:db8::1') }, '2001:db8:0:0::/64'],
    ['what is no address', { ip: 'unknown', ...socket('203.0.113.7') }, '203.0.113.7'],
    ['a connection that is gone', socket(undefined), undefined],
    ['a socket of the file system', {}, undefined],
  ])('tells for %s (FAIR-03)', (_, request, address) => {
    expect(findCallerAddress(request)).toBe(address);
  });

  it('is asked for strangers alone (FAIR-03)', () => {
    const http = { request: socket('203.0.113.7') };
    expect(findAnonymousAddress({ identity: undefined, http })).toBe('203.0.113.7');
    expect(findAnonymousAddress({ identity: 'ada', http })).toBeUndefined();
    expect(findAnonymousAddress({ identity: undefined })).toBeUndefined();
  });
});
