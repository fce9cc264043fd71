import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { isOfThisMachine } from '../../../../lib/server/context/is-of-this-machine.js';

/** A request as it comes from a peer. */
const from = (remoteAddress: string | undefined, parts: object = {}) =>
  ({
    headers: { host: 'localhost:3000' },
    socket: { remoteAddress },
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    ...parts,
  }) as unknown as IncomingMessage;

describe('isOfThisMachine()', () => {
  it.each(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'])('takes the peer "%s" (WAY-02)', (peer) => {
    expect(isOfThisMachine(from(peer))).toBe(true);
  });

  it.each([
    '192.168.0.7',
    '172.17.0.1',
    '10.0.0.1',
    '203.0.113.7',
    '::',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    '',
    undefined,
  ])('refuses the peer "%s" (WAY-02)', (peer) => {
    expect(isOfThisMachine(from(peer))).toBe(false);
  });

  it('asks for the name of HTTP/2 where there is one (WAY-02)', () => {
    const version = { httpVersionMajor: 2, httpVersionMinor: 0, headers: {} };
    expect(isOfThisMachine(from('::1', { ...version, authority: 'localhost:3000' }))).toBe(true);
    expect(isOfThisMachine(from('::1', { ...version, authority: 'rebound.example.com' }))).toBe(false);
    expect(isOfThisMachine(from('::1', version))).toBe(false);
  });
});
