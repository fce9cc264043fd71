import { describe, expect, it } from '@jest/globals';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { MemberNames } from '../../../../lib/server/cluster/member-names.js';

const [SECRET, OTHER] = ['a secret of the server', 'another secret of it'];

describe('MemberNames', () => {
  it('gives each process a name of letters and digits that no other has', () => {
    const names = new MemberNames(new Keyring([SECRET]), '/mcp');
    const [one, other] = [names.create(), names.create()];
    expect(one).toMatch(/^[0-9a-z]{24}$/);
    expect(other).not.toBe(one);
  });

  it('knows the names of processes with the secret, also while that is being changed', () => {
    const before = new MemberNames(new Keyring([SECRET, OTHER]), '/mcp');
    const after = new MemberNames(new Keyring([OTHER, SECRET]), '/mcp');
    expect([before.isOurs(after.create()), after.isOurs(before.create())]).toEqual([true, true]);
  });

  it.each([
    ['of another secret', new MemberNames(new Keyring([OTHER]), '/mcp').create()],
    ['of another server', new MemberNames(new Keyring([SECRET]), '/other').create()],
    ['that was invented', '0f3a5c9b1d2e0f3a5c9b1d2e'],
    ['that is too short', '0f3a5c9b1d2e'],
    ['that is no digits', 'z'.repeat(24)],
    ['that is empty', ''],
    ['that is long', 'a'.repeat(100_000)],
  ])('knows no name %s', (_name, name) => {
    expect(new MemberNames(new Keyring([SECRET]), '/mcp').isOurs(name)).toBe(false);
  });
});
