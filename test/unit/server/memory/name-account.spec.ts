import { describe, expect, it } from '@jest/globals';
import { formatBoundIdentity, nameAccount } from '../../../../lib/server/memory/memory-account.js';

const ACCOUNT = 'A'.repeat(43);

describe('nameAccount()', () => {
  it('gives the same for each key of a caller, and for none (XTN-03) (FAIR-02)', () => {
    const identities = [ACCOUNT, formatBoundIdentity(ACCOUNT, 'one'), formatBoundIdentity(ACCOUNT, 'other')];
    expect(new Set(identities).size).toBe(3);
    expect(identities.map(nameAccount)).toEqual([ACCOUNT, ACCOUNT, ACCOUNT]);
  });

  it('gives what it is given where that has no key (FAIR-02)', () => {
    for (const name of ['', 'ada', nameAccount(ACCOUNT)]) expect(nameAccount(name)).toBe(name);
  });
});
