import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type ClusterBus, type SharedState, Topic } from '../../../../../lib/server/cluster/cluster-bus.js';
import { BoundedState } from '../../../../../lib/server/sessions/shared/bounded-state.js';

const TOPIC = new Topic<object>('test.topic');

describe('BoundedState', () => {
  afterEach(() => void jest.useRealTimers());

  function create(find: SharedState['find']): BoundedState {
    return new BoundedState({ isConnected: true, shared: { find } } as unknown as ClusterBus);
  }

  it('asks again after a refusal that came at once: who has too much waiting keeps no other from being known', async () => {
    let isBusy = true;
    const state = create(() =>
      isBusy ? Promise.reject(new Error('Too many commands are waiting')) : Promise.resolve({ ended: '1' }),
    );
    await expect(state.find('key')).resolves.toBeUndefined();
    isBusy = false;
    await expect(state.find('key')).resolves.toEqual({ record: { ended: '1' } });
  });

  it('waits for nobody for a while after it waited for nothing (RELAY-07)', async () => {
    jest.useFakeTimers();
    const find = jest.fn<SharedState['find']>(() => new Promise(() => undefined));
    const state = create(find);
    const first = state.find('key');
    await jest.advanceTimersByTimeAsync(1000);
    await expect(first).resolves.toBeUndefined();
    await expect(state.find('key')).resolves.toBeUndefined();
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('asks again when that has gone by, or as soon as patient callers have got an answer (RELAY-07)', async () => {
    jest.useFakeTimers();
    let isAway = true;
    const find = jest.fn<SharedState['find']>(() =>
      isAway ? new Promise(() => undefined) : Promise.resolve({ ended: '1' }),
    );
    const state = create(find);
    const fail = async (ask: () => Promise<unknown>) => {
      const failed = ask();
      await jest.advanceTimersByTimeAsync(1000);
      await failed;
    };
    await state.probe('key');
    expect(find).not.toHaveBeenCalled();
    await fail(() => state.find('key'));
    await fail(() => state.probe('key'));
    expect([find.mock.calls.length, state.isInReach]).toEqual([2, false]);
    await jest.advanceTimersByTimeAsync(3999);
    expect(state.isInReach).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(state.isInReach).toBe(true);
    await fail(() => state.find('key'));
    isAway = false;
    await state.probe('key');
    expect(state.isInReach).toBe(true);
    await expect(state.find('key')).resolves.toEqual({ record: { ended: '1' } });
  });

  it('waits for nobody after a refusal that came late (RELAY-07)', async () => {
    jest.useFakeTimers();
    const refuse = (afterMs: number) =>
      new Promise<never>((_, reject) => void setTimeout(() => reject(new Error('no')), afterMs));
    for (const [afterMs, isInReach] of [
      [100, true],
      [101, false],
    ] as const) {
      const state = create(() => refuse(afterMs));
      const found = state.find('key');
      await jest.advanceTimersByTimeAsync(afterMs);
      await expect(found).resolves.toBeUndefined();
      expect(state.isInReach).toBe(isInReach);
    }
  });

  it('asks nobody in a server that is alone, or without its engine (RELAY-02) (RELAY-07)', async () => {
    const find = jest.fn<SharedState['find']>();
    for (const bus of [
      { isConnected: true, shared: undefined },
      { isConnected: false, shared: { find } },
    ]) {
      const state = new BoundedState(bus as unknown as ClusterBus);
      expect([state.isInReach, await state.find('key'), await state.probe('key')]).toEqual([
        false,
        undefined,
        undefined,
      ]);
    }
    expect(find).not.toHaveBeenCalled();
  });

  it('waits for what it publishes only if the engine is in reach, and gives no wrong news (RELAY-07)', async () => {
    const published: string[] = [];
    const shared = {
      change: () => Promise.reject(new Error('no')),
      swap: () => Promise.resolve('ada'),
      members: () => Promise.resolve(['one']),
    };
    const bus = {
      isConnected: true,
      shared,
      publish: () => void published.push('publish'),
      publishFlushed: async () => void published.push('publishFlushed'),
    };
    const state = new BoundedState(bus as unknown as ClusterBus);
    await state.publish(TOPIC, {});
    bus.isConnected = false;
    await state.publish(TOPIC, {});
    expect(published).toEqual(['publishFlushed', 'publish']);
    bus.isConnected = true;
    const key = { key: 'key', expires: 1 };
    expect([await state.change(key), await state.members()]).toEqual([false, ['one']]);
    expect(await state.swap({ ...key, field: 'owner', to: 'ada' })).toEqual({ field: 'ada' });
    shared.change = () => Promise.resolve(undefined as never);
    expect(await state.change(key)).toBe(true);
  });
});
