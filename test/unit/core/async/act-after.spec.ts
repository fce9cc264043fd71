import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { callAfter } from '../../../../lib/core/async/timers.js';
import { until } from '../../../support/until.js';
import { standStill } from '../../support/stand-still.js';

describe('actAfter', () => {
  it('acts once when the time is over (SAFE-04)', async () => {
    const acts: number[] = [];
    const begun = performance.now();
    callAfter(20, () => acts.push(performance.now() - begun));
    await until(() => acts.length > 0, 'the act');
    expect(acts).toHaveLength(1);
    expect(acts[0]).toBeGreaterThanOrEqual(19);
  });

  it('does not act once its clock is stopped, late or not (SAFE-04)', async () => {
    let count = 0;
    const stops = [callAfter(5, () => (count += 1)), callAfter(5, () => (count += 1))];
    stops[0]?.();
    standStill(100);
    await turn();
    stops[1]?.();
    let isOver = false;
    callAfter(150, () => (isOver = true));
    await until(() => isOver, 'the time to be over');
    expect(count).toBe(0);
  });

  it('lets what arrived while the process stood still be heard first (SAFE-04)', async () => {
    const order: string[] = [];
    setTimeout(() => order.push('heard'), 120);
    callAfter(10, () => order.push('acted'));
    standStill(100);
    await until(() => order.length > 1, 'both');
    expect(order).toEqual(['heard', 'acted']);
  });
});
