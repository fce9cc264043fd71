import { describe, expect, it } from '@jest/globals';
import { addJitter } from '../../../../lib/core/async/timers.js';

describe('spread()', () => {
  const waits = Array.from({ length: 1000 }, () => addJitter(1000));

  it('gives 1 to 1.5 times a wait, in whole milliseconds (RELAY-15)', () => {
    expect(waits.every((wait) => wait >= 1000 && wait <= 1500 && Number.isInteger(wait))).toBe(true);
  });

  it('gives all parts of that range (RELAY-15)', () => {
    const parts = new Set(waits.map((wait) => Math.floor((wait - 1000) / 100)));
    expect([...parts].filter((part) => part < 5)).toHaveLength(5);
  });
});
