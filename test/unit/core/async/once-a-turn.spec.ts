import { describe, expect, it } from '@jest/globals';
import { oncePerTick } from '../../../../lib/core/async/timers.js';

/** Microtasks run in the order in which they were queued. */
const endOfTurn = () => Promise.resolve();

describe('onceATurn', () => {
  it('acts after the code that calls it, and once', async () => {
    let acts = 0;
    const act = oncePerTick(() => (acts += 1));
    act();
    act();
    expect(acts).toBe(0);
    await endOfTurn();
    expect(acts).toBe(1);
  });

  it('acts again in a later turn', async () => {
    let acts = 0;
    const act = oncePerTick(() => (acts += 1));
    act();
    await endOfTurn();
    act();
    await endOfTurn();
    expect(acts).toBe(2);
  });
});
