import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import { Sealer } from '../../../../../lib/core/sealing/sealer.js';
import { DpopNonces } from '../../../../../lib/server/auth/dpop/dpop-nonces.js';

const SECRET = 'the secret that all processes were given';
const create = (secrets: readonly string[] = [SECRET], server = '/mcp') =>
  new DpopNonces({ sealer: new Sealer(new Keyring(secrets)), server, lifetimeSeconds: 300 });

describe('DpopNonces (RFC 9449 §8, §9)', () => {
  beforeEach(() => void jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: ['performance'] }));
  afterEach(() => void jest.useRealTimers());
  const pass = (seconds: number) => jest.setSystemTime(Date.now() + seconds * 1000);

  it('gives the same nonce for half of its lifetime, of characters that it may have (XTN-03)', () => {
    const nonces = create();
    const first = nonces.current;
    expect(first).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
    pass(149);
    expect(nonces.current).toBe(first);
    pass(2);
    expect(nonces.current).not.toBe(first);
  });

  it('takes a nonce until its lifetime is over (XTN-03)', () => {
    const nonces = create();
    const { current } = nonces;
    for (const seconds of [0, 149, 2, 148]) {
      pass(seconds);
      expect(nonces.isRecent(current)).toBe(true);
    }
    pass(2);
    expect(nonces.isRecent(current)).toBe(false);
    expect(nonces.isRecent(nonces.current)).toBe(true);
  });

  it('takes a nonce for half of its lifetime at least, however late it was given (XTN-03)', () => {
    const nonces = create();
    pass(149);
    const { current } = nonces;
    pass(150);
    expect(nonces.isRecent(current)).toBe(true);
    pass(2);
    expect(nonces.isRecent(current)).toBe(false);
  });

  it('takes what another process gave, also one whose clock is ahead, and by an earlier secret (XTN-03)', () => {
    const other = create();
    pass(100);
    const ahead = other.current;
    pass(-100);
    expect(create().isRecent(ahead)).toBe(true);
    expect(create(['the secret that comes after the one before', SECRET]).isRecent(other.current)).toBe(true);
  });

  it.each([
    ['nothing', () => undefined],
    ['a number', () => 7],
    ['an empty text', () => ''],
    ['a word', () => 'definitely-not-the-server-nonce'],
    ['a time without a signature', () => create().current.split('.')[0]],
    ['another time with the signature', () => create().current.replace(/~[^.]+/, '~zzzzzz')],
    ['one of another secret', () => create(['a secret that nobody else was given']).current],
    ['one of another server with the secret', () => create([SECRET], '/other').current],
    [
      'what the secret signed for something else',
      () => new Sealer(new Keyring([SECRET])).sign('session-id', 'x~1'),
    ],
  ])('takes %s for none (XTN-03)', (_, make) => {
    expect(create().isRecent(make())).toBe(false);
  });
});
