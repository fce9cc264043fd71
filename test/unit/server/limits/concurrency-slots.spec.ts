import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RateLimitedError } from '../../../../lib/core/protocol/rate-limited.error.js';
import { ConcurrencySlots } from '../../../../lib/server/limits/concurrency-slots.js';
import { buildContext } from '../../support/requests.js';
import { Gate } from '../../../support/applications/gate.js';
import { until } from '../../../support/until.js';

/** A call that runs until its gate is opened. */
class TestCall {
  readonly context = buildContext('tools/call');
  readonly gate = new Gate();
  hasBegun = false;
  readonly outcome: Promise<unknown>;

  constructor(places: ConcurrencySlots, caller: string) {
    this.outcome = places
      .run(caller, this.context, async () => {
        this.hasBegun = true;
        await this.gate.pass();
        return 'done';
      })
      .catch((error: unknown) => error);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('ConcurrencySlots', () => {
  const begin = (places: ConcurrencySlots, ...callers: readonly string[]) =>
    callers.map((caller) => new TestCall(places, caller));
  const begun = (calls: readonly TestCall[]) => calls.map(({ hasBegun }) => hasBegun);

  it('refuses what finds no place, and says when to come again (OPS-04)', async () => {
    const places = new ConcurrencySlots({ max: 1 });
    const [first, second] = begin(places, 'ada', 'bob');
    const refusal = await second!.outcome;
    expect(refusal).toBeInstanceOf(RateLimitedError);
    expect(refusal).toMatchObject({ code: -32023, httpStatus: 429, data: { retryAfterMs: 1000 } });
    first!.gate.open();
    expect(await first!.outcome).toBe('done');
    const [third] = begin(places, 'bob');
    third!.gate.open();
    expect(await third!.outcome).toBe('done');
  });

  it('bounds the calls of one caller by themselves (OPS-04)', async () => {
    const places = new ConcurrencySlots({ maxPerCaller: 1 });
    const [, again, other] = begin(places, 'ada', 'ada', 'bob');
    expect(await again!.outcome).toBeInstanceOf(RateLimitedError);
    await settled();
    expect(other!.hasBegun).toBe(true);
  });

  it('gives turns to callers, not to calls (OPS-04)', async () => {
    const places = new ConcurrencySlots({ max: 1, queue: 10 });
    const calls = begin(places, 'ada', 'ada', 'ada', 'ada', 'bob');
    await settled();
    expect(begun(calls)).toEqual([true, false, false, false, false]);
    calls[0]!.gate.open();
    await until(() => calls[1]!.hasBegun, 'the next call');
    calls[1]!.gate.open();
    await until(() => calls[4]!.hasBegun, 'the call of the other caller');
    expect(begun(calls)).toEqual([true, true, false, false, true]);
  });

  it('makes room in a full queue at the cost of who has most of it (OPS-04)', async () => {
    const places = new ConcurrencySlots({ max: 1, queue: 3 });
    const calls = begin(places, 'ada', 'ada', 'ada', 'ada', 'bob');
    // The one that came last has waited least.
    expect(await calls[3]!.outcome).toBeInstanceOf(RateLimitedError);
    const [further] = begin(places, 'ada');
    expect(await further!.outcome).toBeInstanceOf(RateLimitedError);
    calls[0]!.gate.open();
    await until(() => calls[1]!.hasBegun, 'the next call');
    calls[1]!.gate.open();
    await until(() => calls[4]!.hasBegun, 'the call that took the room');
    expect(begun(calls)).toEqual([true, true, false, false, true]);
  });

  it('refuses what has waited too long (OPS-04)', async () => {
    const places = new ConcurrencySlots({ max: 1, queue: { length: 5, timeoutMs: 20 } });
    const [first, second] = begin(places, 'ada', 'bob');
    expect(await second!.outcome).toBeInstanceOf(RateLimitedError);
    first!.gate.open();
    const [third] = begin(places, 'cyd');
    await until(() => third!.hasBegun, 'a call on the place that is free');
  });

  it('lets a cancelled call leave the queue (OPS-04)', async () => {
    const places = new ConcurrencySlots({ max: 1, queue: 1 });
    const [first, second] = begin(places, 'ada', 'bob');
    second!.context.cancel('not wanted');
    await second!.outcome;
    const [third] = begin(places, 'cyd');
    first!.gate.open();
    await until(() => third!.hasBegun, 'a call in the place of the cancelled one');
    expect(second!.hasBegun).toBe(false);
  });

  it('gives the place of a call that waits for its client to others (OPS-04)', async () => {
    const places = new ConcurrencySlots({ max: 1 });
    const [first] = begin(places, 'ada');
    await settled();
    first!.context.suspend({ resultType: 'input_required' });
    await settled();
    const [second] = begin(places, 'bob');
    second!.gate.open();
    expect(await second!.outcome).toBe('done');
  });

  it('keeps the place of a cancelled call until its handler ends (OPS-04)', async () => {
    const places = new ConcurrencySlots({ max: 1 });
    const [first] = begin(places, 'ada');
    await settled();
    first!.context.cancel('not wanted');
    const [second] = begin(places, 'bob');
    expect(await second!.outcome).toBeInstanceOf(RateLimitedError);
    first!.gate.open();
    await first!.outcome;
    const [third] = begin(places, 'bob');
    await until(() => third!.hasBegun, 'a call once the handler has ended');
  });

  describe('of calls that are cancelled, and whose handlers go on', () => {
    const TEN_SECONDS_MS = 10_000;

    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    });
    afterEach(() => void jest.useRealTimers());

    /** Calls, and gives up, again and again; gives the calls whose handlers began. */
    const insist = async (places: ConcurrencySlots, caller: string, times: number) => {
      const calls: TestCall[] = [];
      for (let time = 0; time < times; time += 1) {
        const [call] = begin(places, caller);
        await settled();
        if (call!.hasBegun) calls.push(call!);
        call!.context.cancel('not wanted');
        jest.advanceTimersByTime(TEN_SECONDS_MS);
        await settled();
      }
      return calls;
    };

    it('gives the place to others after ten seconds (OPS-04)', async () => {
      const places = new ConcurrencySlots({ max: 1 });
      expect(await insist(places, 'ada', 1)).toHaveLength(1);
      const [other] = begin(places, 'bob');
      await settled();
      expect(other!.hasBegun).toBe(true);
    });

    it('waits no longer for what has begun, or is over (OPS-04)', async () => {
      const places = new ConcurrencySlots({ max: 1, queue: 2 });
      const [first, second, third] = begin(places, 'ada', 'bob', 'cyd');
      await settled();
      expect(jest.getTimerCount()).toBe(2);
      third!.context.cancel('not wanted');
      first!.gate.open();
      await settled();
      expect([second!.hasBegun, jest.getTimerCount()]).toEqual([true, 0]);
    });

    it('runs no more than twice as many for who cancels without end (OPS-04)', async () => {
      const places = new ConcurrencySlots({ maxPerCaller: 2, max: 4 });
      const calls = await insist(places, 'ada', 20);
      expect(calls).toHaveLength(4);
      expect(await insist(places, 'bob', 20)).toHaveLength(4);
      expect(await insist(places, 'cyd', 20)).toHaveLength(0);
      for (const call of calls) call.gate.open();
      await settled();
      expect(await insist(places, 'cyd', 20)).toHaveLength(4);
    });
  });

  it('runs nothing for a call that is over already (OPS-04)', async () => {
    const places = new ConcurrencySlots({ max: 1 });
    const context = buildContext('tools/call');
    context.cancel('not wanted');
    await expect(places.run('ada', context, () => 'done')).rejects.toThrow('not wanted');
    expect(await places.run('ada', buildContext('tools/call'), () => 'done')).toBe('done');
  });

  it('frees the place of a handler that throws (OPS-04)', async () => {
    const places = new ConcurrencySlots({ max: 1 });
    const fail = (): never => {
      throw new Error('broken');
    };
    await expect(places.run('ada', buildContext('tools/call'), fail)).rejects.toThrow('broken');
    expect(await places.run('ada', buildContext('tools/call'), () => 'done')).toBe('done');
  });
});
