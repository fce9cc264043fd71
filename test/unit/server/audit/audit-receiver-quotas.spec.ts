import { describe, expect, it } from '@jest/globals';
import { type EventCaller, PendingQuotas } from '../../../../lib/server/audit/audit-receiver.js';

const known = (name: string): EventCaller => ({ name, isAnonymous: false });
const stranger = (name?: string): EventCaller => ({ name, isAnonymous: true });

/** Takes as many events as there is room for; gives how many. */
function fill(shares: PendingQuotas, owner: EventCaller | undefined, bytes = 1): number {
  let count = 0;
  while (count < 1000 && shares.hasRoom(owner, bytes)) {
    shares.reserve(owner, bytes);
    count += 1;
  }
  return count;
}

describe('PendingQuotas', () => {
  const create = (events = 100, bytes = 10_000) => new PendingQuotas({ events, bytes });

  it('gives a caller half, and the next one half of the rest (OPS-03)', () => {
    const shares = create();
    expect(['ada', 'bob', 'cat'].map((name) => fill(shares, known(name)))).toEqual([50, 25, 13]);
    expect(shares.hasRoom(known('dan'), 1)).toBe(true);
  });

  it('gives strangers half together, and an address half of that (OPS-03)', () => {
    const shares = create();
    expect(['a', 'b', 'c'].map((name) => fill(shares, stranger(name)))).toEqual([25, 13, 6]);
    const crowd = Array.from({ length: 200 }, (_, index) => fill(shares, stranger(`address ${index}`)));
    expect(crowd.reduce((sum, count) => sum + count, 44)).toBe(50);
    expect(fill(shares, known('ada'))).toBe(25);
  });

  it('gives strangers of no address what is left of theirs (OPS-03)', () => {
    const shares = create();
    expect(fill(shares, stranger())).toBe(50);
    expect(shares.hasRoom(stranger('a'), 1)).toBe(false);
    expect(shares.hasRoom(known('ada'), 1)).toBe(true);
  });

  it('shares bytes in the same way, and takes one event of any size (OPS-03)', () => {
    const shares = create();
    expect(fill(shares, known('ada'), 1000)).toBe(5);
    expect(fill(shares, stranger('a'), 1000)).toBe(3);
    const empty = create();
    expect(fill(empty, stranger('a'), 1_000_000)).toBe(1);
  });

  it('has room again for what was given back, and remembers nobody (OPS-03)', () => {
    const shares = create(4);
    const releases = [shares.reserve(known('ada'), 1), shares.reserve(known('ada'), 1)];
    expect(shares.hasRoom(known('ada'), 1)).toBe(false);
    releases[0]!();
    expect(shares.hasRoom(known('ada'), 1)).toBe(true);
    releases[1]!();
    expect(shares.isEmpty).toBe(true);
  });

  it('gives all that is left to what is nobody’s alone (OPS-03)', () => {
    expect(fill(create(), undefined)).toBe(100);
  });
});
