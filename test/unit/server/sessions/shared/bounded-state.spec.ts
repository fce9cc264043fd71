import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Relay, SharedState } from '../../../../../lib/server/relay/relay.js';
import { BoundedState } from '../../../../../lib/server/sessions/shared/bounded-state.js';

describe('BoundedState', () => {
  afterEach(() => void jest.useRealTimers());

  function create(find: SharedState['find']): BoundedState {
    return new BoundedState({ isConnected: true, shared: { find } } as unknown as Relay);
  }

  it('asks again after a refusal that came at once: who has too much waiting keeps no other from being known', async () => {
    let isBusy = true;
    const state = create(() =>
      isBusy ? Promise.reject(new Error('Too many commands wait')) : Promise.resolve({ ended: '1' }),
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
});
