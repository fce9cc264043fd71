import { describe, expect, it } from '@jest/globals';
import { CallQueue, type WaitingCall } from '../../../../lib/server/limits/concurrency-slots.js';

describe('CallQueue', () => {
  /** Has callers wait one after the other, if there is room. Returns who waits, and who was given up. */
  function wait(length: number, ...callers: readonly string[]) {
    const queue = new CallQueue(length);
    const waiting: string[] = [];
    const givenUp: string[] = [];
    callers.forEach((caller, index) => {
      if (!queue.admit(caller)) return;
      const name = `${caller}${index}`;
      const call: WaitingCall = {
        caller,
        reject: () => {
          queue.remove(call);
          queue.remove(call);
          waiting.splice(waiting.indexOf(name), 1);
          givenUp.push(name);
        },
      };
      queue.add(call);
      waiting.push(name);
    });
    return { queue, waiting, givenUp };
  }

  it('has room for so many calls, and for none if it has no length (OPS-04)', () => {
    expect(wait(0, 'a')).toMatchObject({ waiting: [], givenUp: [], queue: { size: 0 } });
    const { queue, waiting, givenUp } = wait(2, 'a', 'b', 'c');
    expect({ waiting, givenUp }).toEqual({ waiting: ['a0', 'b1'], givenUp: [] });
    expect([queue.size, queue.count('a'), queue.count('c')]).toEqual([2, 1, 0]);
  });

  it('takes from the caller with the most calls for one with fewer, the latest first (FAIR-03, OPS-04)', () => {
    expect(wait(3, 'a', 'a', 'a', 'b')).toMatchObject({ waiting: ['a0', 'a1', 'b3'], givenUp: ['a2'] });
    expect(wait(4, 'b', 'a', 'a', 'a', 'b')).toMatchObject({ givenUp: ['a3'] });
  });

  it('takes nothing from others for who would then have as many or more (FAIR-03, OPS-04)', () => {
    expect(wait(3, 'a', 'a', 'b', 'b')).toMatchObject({ waiting: ['a0', 'a1', 'b2'], givenUp: [] });
    expect(wait(2, 'a', 'b', 'a')).toMatchObject({ waiting: ['a0', 'b1'], givenUp: [] });
  });

  it('has the room again of a call that is over, which counts once (OPS-04)', () => {
    const queue = new CallQueue(1);
    const call = { caller: 'a', reject: () => undefined };
    queue.add(call);
    queue.remove(call);
    queue.remove(call);
    queue.remove({ caller: 'b', reject: () => undefined });
    expect([queue.size, queue.count('a'), queue.admit('b')]).toEqual([0, 0, true]);
  });
});
