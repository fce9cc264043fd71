import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  MemoryBudget,
  type MemoryReservation,
  type MemoryEvictor,
} from '../../../../lib/server/memory/memory-budget.js';
import { MemoryLimitError } from '../../../../lib/server/memory/memory-limits.js';
import { ADA, fillBudget, memory, STRANGER } from './fill-budget.js';

describe('MemoryBudget', () => {
  let budget: MemoryBudget;

  beforeEach(() => {
    budget = new MemoryBudget({ memory });
  });

  afterEach(() => budget.onApplicationShutdown());

  const fill = (owner: object, isPassing = false, by = budget): MemoryReservation[] =>
    fillBudget(by, owner, isPassing);

  /** Takes memory for something that outlives its request. */
  function last(owner: object, bytes: number): MemoryReservation {
    const request = budget.hold(owner, bytes, true);
    try {
      return request.transfer();
    } finally {
      request.release();
    }
  }

  it('gives a caller so much, and others theirs beside it (FAIR-02)', () => {
    fill(ADA);
    expect(budget.used).toBe(4000);
    expect(() => budget.hold({ identity: 'bob' }, 1000)).not.toThrow();
  });

  it('gives strangers a share together, and each address a part of it (FAIR-02)', () => {
    fill(STRANGER);
    expect(budget.used).toBe(3000);
    fill({ address: '192.0.2.2' });
    fill({ address: '192.0.2.3' });
    expect(budget.used).toBe(6000);
    expect(() => budget.hold(ADA, 500)).not.toThrow();
  });

  it('counts for the same caller whatever comes and goes in between (FAIR-02)', () => {
    const request = budget.hold(ADA, 100, true);
    request.transfer().release();
    budget.hold(ADA, 3000);
    request.release();
    expect(() => budget.hold(ADA, 3000)).toThrow(MemoryLimitError);
    expect(budget.used).toBe(3000);
  });

  it('takes what a request passes on until it is over, and everything that has it (FAIR-02)', () => {
    const request = budget.hold(ADA, 1000, true);
    const first = request.transfer();
    request.add(50);
    const second = request.transfer();
    expect([budget.used, request.bytes]).toEqual([1050, 1000]);
    first.release();
    first.release();
    expect(budget.used).toBe(1050);
    request.release();
    second.release();
    expect([budget.used, budget.callers]).toEqual([0, 0]);
    const other = budget.hold(ADA, 1000, true);
    const left = other.transfer();
    other.release();
    expect(budget.used).toBe(1000);
    left.release();
    expect([budget.used, budget.callers]).toEqual([0, 0]);
  });

  it('leaves half of a share to what comes and goes, whatever lasts (FAIR-02) (FAIR-03)', () => {
    const lasting = [last(STRANGER, 900), last(STRANGER, 600)];
    const refused = budget.hold(STRANGER, 100, true);
    expect(() => refused.transfer()).toThrow(
      expect.objectContaining({ httpStatus: 429, retryAfterSeconds: 5 }),
    );
    expect(budget.used).toBe(1600);
    refused.release();
    expect(() => budget.hold(STRANGER, 1500)).not.toThrow();
    lasting[1]?.release();
    expect(() => last({ address: '192.0.2.2' }, 1500)).not.toThrow();
    expect(() => last({ address: '192.0.2.3' }, 700)).toThrow(MemoryLimitError);
    expect(() => last(ADA, 1000)).not.toThrow();
  });

  it('lets one thing last that is larger than half of a share (FAIR-02)', () => {
    const one = last(ADA, 3000);
    expect(() => last(ADA, 100)).toThrow(MemoryLimitError);
    one.release();
    expect(() => last(ADA, 100)).not.toThrow();
  });

  it('leaves room for small things beside large ones (FAIR-02)', () => {
    budget.hold(ADA, 3000, true);
    expect(() => budget.hold(ADA, 501)).toThrow(MemoryLimitError);
    expect(() => budget.hold(ADA, 500)).not.toThrow();
  });

  it('gives all of a share to a caller who has no requests, and never more (FAIR-02)', () => {
    expect(() => budget.hold(ADA, 4001)).toThrow(expect.objectContaining({ httpStatus: 413 }));
    expect(budget.hold(ADA, 4000).bytes).toBe(4000);
  });

  it('ends at nothing, whatever was taken and given back in between (FAIR-02)', () => {
    for (let round = 0; round < 10; round += 1) {
      const holds = [...fill(ADA), ...fill(STRANGER, true)];
      for (const hold of holds) {
        hold.add(-3);
        hold.tryAdd(1);
        hold.release();
        hold.release();
        hold.add(5);
      }
    }
    expect([budget.used, budget.callers]).toEqual([0, 0]);
  });

  it('forgets a caller whom it refuses (FAIR-02)', () => {
    expect(() => budget.hold(ADA, 5000)).toThrow(MemoryLimitError);
    expect(budget.callers).toBe(0);
  });

  it('counts right for callers who come back, however many there were in between (FAIR-02)', () => {
    const owners = Array.from({ length: 300 }, (_, index) => ({ identity: `${index}` }));
    for (let round = 0; round < 3; round += 1) {
      const kept = owners.slice(0, 150).map((owner) => budget.hold(owner, 10));
      for (const owner of owners) budget.hold(owner, 10, true).release();
      expect([budget.used, budget.callers]).toEqual([1500, 150]);
      for (const hold of kept) hold.release();
      expect([budget.used, budget.callers]).toEqual([0, 0]);
    }
    fill(ADA);
    budget.hold(ADA, 0).release();
    expect(() => budget.hold(ADA, 10)).toThrow(MemoryLimitError);
  });

  it('moves what a stranger had to the caller that the stranger turns out to be (FAIR-02)', () => {
    const hold = budget.hold(STRANGER, 100);
    hold.moveTo('ada');
    expect([hold.account.owner, budget.used, budget.callers]).toEqual([ADA, 100, 1]);
    fill({ identity: 'bob' });
    expect(() => hold.moveTo('bob')).toThrow(MemoryLimitError);
    expect(hold.account.owner).toEqual(ADA);
  });

  it('moves what a stranger had to a caller who gives up enough for it (FAIR-02)', () => {
    const hold = budget.hold(STRANGER, 100);
    const [leaving] = [budget.hold(ADA, 90), ...fill(ADA)];
    expect(() => hold.moveTo('ada')).toThrow(MemoryLimitError);
    expect(() => hold.moveTo('ada', leaving)).toThrow(MemoryLimitError);
    const [larger] = [budget.hold({ identity: 'bob' }, 100), ...fill({ identity: 'bob' })];
    hold.moveTo('bob', larger);
    expect(hold.account.owner).toEqual({ identity: 'bob' });
  });

  it('gives up what was delivered before anything else, the oldest first (FAIR-02)', () => {
    const given: string[] = [];
    const offer = (name: string): void => {
      const hold = budget.hold(ADA, 900);
      hold.offerToReclaim({
        reclaim: () => {
          given.push(name);
          hold.withdrawOffer();
          hold.add(-800);
        },
      });
    };
    ['one', 'two', 'three'].forEach(offer);
    budget.addEvictor({ evict: () => given.push('keeper'), findExpiry: () => undefined });
    budget.hold(ADA, 1400);
    expect(given).toEqual(['one']);
  });

  it('takes nothing from others for what can be done without (FAIR-02)', () => {
    let asked = 0;
    budget.addEvictor({ evict: () => (asked += 1), findExpiry: () => undefined });
    const [hold] = fill(ADA);
    const before = asked;
    expect(hold?.tryAdd(3000)).toBe(false);
    expect(asked).toBe(before);
  });

  it('refuses with 413 what grows and never finds room, and with 429 what others keep from it (FAIR-02)', () => {
    const alone = budget.hold(ADA, 1000, true);
    for (let count = 0; count < 30; count += 1) alone.add(100);
    expect(() => alone.add(100)).toThrow(expect.objectContaining({ httpStatus: 413 }));
    alone.release();
    const [growing] = [budget.hold(ADA, 1000, true), budget.hold(ADA, 1000, true)];
    growing?.add(1000);
    expect(() => growing?.add(600)).toThrow(expect.objectContaining({ retryAfterSeconds: 5 }));
  });

  it.each<[string, object]>([
    ['a caller', ADA],
    ['an address', STRANGER],
    ['strangers whose addresses are not known, whom one alone may be', {}],
  ])('refuses %s with 429 at the share, however others are (FAIR-09)', (_what, owner) => {
    fill(owner);
    const code = -32023;
    expect(() => budget.hold(owner, 10)).toThrow(expect.objectContaining({ httpStatus: 429, code }));
    expect(() => budget.holdLongLived(owner, 10)).toThrow(expect.objectContaining({ httpStatus: 429, code }));
  });

  it('refuses with 503 where all together take everything, and nobody has too much (FAIR-09)', () => {
    for (const identity of ['bob', 'eve', 'fay']) fill({ identity });
    const code = -32603;
    expect(() => budget.hold(ADA, 10)).toThrow(expect.objectContaining({ httpStatus: 503, code }));
    expect(() => budget.hold(STRANGER, 10)).toThrow(expect.objectContaining({ httpStatus: 503, code }));
  });

  it('tells keepers what a request is for, which must not go for it (FAIR-02)', () => {
    const kept = budget.hold(STRANGER, 100);
    const needs: unknown[] = [];
    budget.addEvictor({ evict: (_full, need) => needs.push(need.excluded), findExpiry: () => undefined });
    fill(STRANGER);
    needs.length = 0;
    expect(() => budget.hold(STRANGER, 10, true, kept)).toThrow(MemoryLimitError);
    expect(needs).toEqual([kept]);
  });

  it('asks keepers to give up what is needed least of the account that is full (FAIR-02)', () => {
    const holds = fill(STRANGER);
    const keeper: MemoryEvictor = {
      evict: (account) => {
        expect(account.owner).toEqual(STRANGER);
        holds.pop()?.release();
        holds.pop()?.release();
      },
      findExpiry: () => undefined,
    };
    budget.addEvictor(keeper);
    expect(() => budget.hold(STRANGER, 10)).not.toThrow();
  });

  it('ends nothing of others for what is large, nor for what grows until it is answered (FAIR-02)', () => {
    let asked = 0;
    budget.addEvictor({ evict: () => (asked += 1), findExpiry: () => undefined });
    const [first] = fill(ADA, true);
    const before = asked;
    expect(() => budget.hold(ADA, 100)).toThrow(MemoryLimitError);
    expect(() => first?.add(10)).toThrow(MemoryLimitError);
    expect(asked).toBe(before);
    expect(() => budget.hold(ADA, 10)).toThrow(MemoryLimitError);
    expect(asked).toBe(before + 1);
  });

  it('says when requests are answered, or when the next of what is kept ends (FAIR-02)', () => {
    budget.addEvictor({ findExpiry: () => Date.now() + 60_000 });
    fill(ADA, true);
    expect(() => budget.hold(ADA, 10)).toThrow(expect.objectContaining({ retryAfterSeconds: 5 }));
    fill({ identity: 'bob' });
    expect(() => budget.hold({ identity: 'bob' }, 10)).toThrow(
      expect.objectContaining({ retryAfterSeconds: 60, httpStatus: 429 }),
    );
  });
});
