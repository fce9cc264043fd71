import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryBudget } from '../../../../lib/server/memory/memory-budget.js';
import { MemoryLimitError } from '../../../../lib/server/memory/memory-limits.js';
import { ADA, fillBudget, memory, STRANGER } from './fill-budget.js';

describe('The bounds of MemoryBudget', () => {
  let budget: MemoryBudget;

  beforeEach(() => {
    budget = new MemoryBudget({ memory });
  });

  afterEach(() => budget.onApplicationShutdown());

  it('says of a caller whether so much can ever find room, to the byte, here and above (FAIR-02)', () => {
    const holds = [budget.hold(ADA, 1000), budget.hold(STRANGER, 1000)];
    fillBudget(budget, ADA);
    const left = [3000, 2000];
    holds.forEach((hold, index) => {
      expect(() => hold.assertCanTake(left[index]!)).not.toThrow();
      expect(() => hold.assertCanTake(left[index]! + 1)).toThrow(MemoryLimitError);
    });
    const narrow = new MemoryBudget({ memory: { ...memory, maxAnonymousBytes: 2000 } });
    const hold = narrow.hold(STRANGER, 0);
    expect(() => hold.assertCanTake(2000)).not.toThrow();
    expect(() => hold.assertCanTake(2001)).toThrow(MemoryLimitError);
    narrow.onApplicationShutdown();
  });

  it('tells whether what can be done without found room (FAIR-02)', () => {
    const hold = budget.hold(ADA, 1000);
    expect([hold.tryAdd(3000), hold.tryAdd(1), hold.bytes]).toEqual([true, false, 4000]);
    hold.release();
    expect([hold.tryAdd(1), budget.used]).toEqual([false, 0]);
  });

  it('counts the callers who have something, and no strangers without an address (FAIR-02)', () => {
    const [first, second] = [budget.hold(ADA, 10), budget.hold(ADA, 10)];
    budget.hold({}, 10).release();
    expect(budget.callers).toBe(1);
    first?.release();
    expect(budget.callers).toBe(1);
    second?.release();
    expect(budget.callers).toBe(0);
  });

  it('takes what lasts from the start within half of a share, and lets one thing alone be larger (FAIR-02)', () => {
    const one = budget.holdLongLived(ADA, 3000);
    expect(() => budget.holdLongLived(ADA, 10)).toThrow(expect.objectContaining({ httpStatus: 429 }));
    one.release();
    budget.holdLongLived(ADA, 1000);
    budget.holdLongLived(ADA, 1000);
    expect(() => budget.holdLongLived(ADA, 1)).toThrow(MemoryLimitError);
    expect(budget.used).toBe(2000);
  });

  it('has whoever is refused wait for the first of what ends, and an hour at most (FAIR-02)', () => {
    fillBudget(budget, ADA);
    const refused = (retryAfterSeconds: number) =>
      expect(() => budget.hold(ADA, 10)).toThrow(expect.objectContaining({ retryAfterSeconds }));
    budget.addEvictor({ findExpiry: () => undefined });
    refused(3600);
    budget.addEvictor({ findExpiry: () => Date.now() + 90_000 });
    refused(90);
    budget.addEvictor({ findExpiry: () => Date.now() - 1000 });
    refused(5);
  });

  it('takes back no more than was offered, once, and only as long as it is offered (FAIR-02)', () => {
    const given: string[] = [];
    const offerBy = (name: string) => {
      const hold = budget.hold(ADA, 1000);
      const giveUp = (): void => {
        given.push(name);
        hold.withdrawOffer();
        hold.add(-900);
      };
      hold.offerToReclaim({ reclaim: giveUp });
      hold.offerToReclaim({ reclaim: () => void given.push(`${name} again`) });
      return hold;
    };
    const [withdrawn, released] = [offerBy('withdrawn'), offerBy('released')];
    withdrawn.withdrawOffer();
    released.release();
    released.offerToReclaim({ reclaim: () => void given.push('late') });
    fillBudget(budget, ADA, true);
    expect(given).toEqual([]);
    const moved = budget.hold(STRANGER, 1000);
    moved.offerToReclaim({
      reclaim: () => {
        given.push('moved');
        moved.release();
      },
    });
    fillBudget(budget, { identity: 'bob' });
    expect(() => moved.moveTo('bob')).toThrow(MemoryLimitError);
    moved.moveTo('cyd');
    fillBudget(budget, { identity: 'cyd' });
    expect(given).toEqual(['moved']);
  });

  it('refuses for now, not for ever, what takes all that a caller may have (FAIR-02)', () => {
    const other = budget.hold(ADA, 1);
    expect(() => budget.hold(ADA, 4000)).toThrow(expect.objectContaining({ httpStatus: 429 }));
    expect(() => budget.hold(ADA, 4001)).toThrow(expect.objectContaining({ httpStatus: 413 }));
    other.release();
    expect(budget.hold(ADA, 4000).bytes).toBe(4000);
  });

  it('remembers a hundred callers who have nothing, and none of those before (FAIR-02)', () => {
    const names = Array.from({ length: 300 }, (_, index) => `caller ${index}`);
    for (const identity of names) budget.hold({ identity }, 10).release();
    const known = names.filter((identity) => budget.findKnown(identity) !== undefined);
    expect(known).toEqual(names.slice(-100));
  });

  it('leaves nothing behind in the process when its server ends (FAIR-02)', () => {
    // Most of what all servers of a process may have, since others that run here may have some of it.
    const all = 2 ** 40;
    const most = 0.75 * all;
    const bounds = { ...memory, maxBytes: all, maxBytesPerCaller: all };
    for (let server = 0; server < 3; server += 1) {
      const large = new MemoryBudget({ memory: bounds });
      expect(large.hold(ADA, most).bytes).toBe(most);
      large.onApplicationShutdown();
    }
  });

  it('counts nothing for a size that is no number (PLAT-01)', () => {
    const size = Number.NaN;
    const hold = budget.hold(STRANGER, 10);
    hold.add(size);
    hold.resize(size);
    expect(hold.tryAdd(size)).toBe(false);
    expect(budget.used).toBe(10);
    hold.release();
    expect(budget.used).toBe(0);
    expect(() => budget.hold(STRANGER, 10)).not.toThrow();
  });
});
