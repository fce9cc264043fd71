import { beforeEach, describe, expect, it } from '@jest/globals';
import { FairSlots, type SlotClaim } from '../../../../lib/core/async/concurrency.js';

describe('FairSlots', () => {
  let begun: string[];
  let ends: Map<string, () => void>;

  beforeEach(() => {
    begun = [];
    ends = new Map();
  });

  const want = (slots: FairSlots, name: string, claim: SlotClaim = {}): Promise<string> =>
    slots.run(claim, () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('lets so much run at once, and gives what it comes to (FAIR-03)', async () => {
    const slots = new FairSlots({ slots: 2 });
    const results = ['a', 'b', 'c'].map((name) => want(slots, name));
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    await end('a');
    await end('c');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
  });

  it('gives a slot back for work that fails, also before it waits for anything (FAIR-03)', async () => {
    const slots = new FairSlots({ slots: 1 });
    const failures = [
      slots.run({}, () => Promise.reject(new Error('later'))),
      slots.run({}, () => {
        throw new Error('at once');
      }),
    ];
    await expect(failures[0]).rejects.toThrow('later');
    await expect(failures[1]).rejects.toThrow('at once');
    void want(slots, 'next');
    expect(begun).toEqual(['next']);
  });

  it('gives owners their turns, however much one of them wants (FAIR-03)', async () => {
    const slots = new FairSlots({ slots: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void want(slots, name, { caller: 'ada' });
    for (const name of ['b1', 'b2']) void want(slots, name, { caller: 'bob' });
    void want(slots, 'x1');
    for (const name of ['a1', 'a2', 'b1', 'x1', 'a3', 'b2']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'x1', 'a3', 'b2', 'a4']);
  });

  it('lets no owner have more than its part, and all who are not known have all (FAIR-03)', async () => {
    const slots = new FairSlots({ slots: 4, perCaller: 2 });
    for (const name of ['a1', 'a2', 'a3']) void want(slots, name, { caller: 'ada' });
    expect(begun).toEqual(['a1', 'a2']);
    void want(slots, 'b1', { caller: 'bob' });
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['a1', 'a3', 'b1']) await end(name);
    for (const name of ['x1', 'x2', 'x3', 'x4']) void want(slots, name);
    expect(begun.slice(4)).toEqual(['x1', 'x2', 'x3', 'x4']);
  });

  it('lets no target have more than its part, and passes to others what it does not take (FAIR-03)', async () => {
    const slots = new FairSlots({ slots: 3, perTarget: 1 });
    void want(slots, 'a1', { caller: 'ada', target: 'slow' });
    void want(slots, 'a2', { caller: 'ada', target: 'slow' });
    void want(slots, 'a3', { caller: 'ada', target: 'fast' });
    void want(slots, 'b1', { caller: 'bob', target: 'slow' });
    expect(begun).toEqual(['a1', 'a3']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a3', 'a2']);
    await end('a2');
    expect(begun.at(-1)).toBe('b1');
  });

  it('forgets what is called off while it waits, and nothing that has begun (FAIR-03)', async () => {
    const slots = new FairSlots({ slots: 1 });
    const enter = (name: string, owner: string) =>
      slots.enter({ caller: owner }, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const leave = ['a1', 'a2', 'b1'].map((name) => enter(name, name.slice(0, 1)));
    enter('c1', 'c');
    for (const one of leave) one();
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
    await end('c1');
    enter('d1', 'd');
    expect(begun.at(-1)).toBe('d1');
  });
});
