import { describe, expect, it } from '@jest/globals';
import { Keyring, type KeyScope } from '../../../../lib/core/sealing/keyring.js';
import { Sealer } from '../../../../lib/core/sealing/sealer.js';

const SECRET = 'the secret of the tests';
const SCOPE = { prefix: 'shop', path: '/mcp' };

describe('Keyring', () => {
  const derive = (scope: KeyScope, ...secrets: readonly string[]): readonly string[] =>
    new Keyring(secrets, scope).derive('session-id').map((key) => key.toString('hex'));

  it('gives all processes of a server the same keys, and no two purposes the same (RELAY-12)', () => {
    expect(derive(SCOPE, SECRET)).toEqual(derive({ ...SCOPE }, SECRET));
    const keyring = new Keyring([SECRET], SCOPE);
    expect(keyring.derive('one')).not.toEqual(keyring.derive('other'));
    expect(keyring.derive('one', Buffer.from('salt'))).not.toEqual(keyring.derive('one'));
  });

  it.each([
    ['another prefix', { prefix: 'staging', path: '/mcp' }],
    ['no prefix', { prefix: '', path: '/mcp' }],
    ['another path', { prefix: 'shop', path: '/other' }],
    ['the same characters divided elsewhere', { prefix: 'shop/', path: 'mcp' }],
    ['what a separator would confuse', { prefix: 'shop","/mcp', path: '' }],
  ])('gives %s other keys (RELAY-12)', (_what, scope) => {
    expect(derive(scope, SECRET)).not.toEqual(derive(SCOPE, SECRET));
  });

  it('gives a key for each secret, in their order (REV-02)', () => {
    const [first, second] = derive(SCOPE, SECRET, 'another');
    expect([first, second]).toEqual([...derive(SCOPE, SECRET), ...derive(SCOPE, 'another')]);
    expect([new Keyring([]).isEmpty, new Keyring([SECRET]).isEmpty]).toEqual([true, false]);
    expect(Keyring.random().derive('a')).not.toEqual(Keyring.random().derive('a'));
  });

  it('accepts what the former version signed only if it is told to, and never signs so (RELAY-12)', () => {
    // What the version before signed with this secret, whatever its prefix and path.
    const [accepting, strict] = [new Keyring([SECRET], SCOPE, true), new Keyring([SECRET], SCOPE)];
    const signed = 'eyJzdGVwIjoyfQ.aaOgo09WVw1Y3yMXAu8hQs-MfWFdfZj5-sg2Cb0e6yM';
    expect(new Sealer(accepting).open('request-state', signed)).toEqual({ step: 2 });
    expect(new Sealer(strict).open('request-state', signed)).toBeUndefined();
    const current = new Sealer(accepting).seal('request-state', { step: 2 });
    expect(new Sealer(strict).open('request-state', current)).toEqual({ step: 2 });
  });
});
