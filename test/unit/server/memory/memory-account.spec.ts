import { describe, expect, it } from '@jest/globals';
import { MemoryAccount } from '../../../../lib/server/memory/memory-account.js';

describe('MemoryAccount', () => {
  it('asks nothing to go of an account that counts here no more (FAIR-02)', () => {
    const all = new MemoryAccount(1000);
    const given: string[] = [];
    const [over, open] = ['over', 'open'].map((name) => {
      const account = new MemoryAccount(1000, all);
      account.count(400, 'kept');
      account.addReclaimable({ reclaim: () => given.push(name) });
      return account;
    });
    over?.detach();
    expect(all.used).toBe(400);
    all.reclaim(700);
    open?.reclaim(700);
    expect(given).toEqual(['open', 'open']);
  });
});
