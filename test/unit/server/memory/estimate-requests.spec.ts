import { describe, expect, it } from '@jest/globals';
import { estimateRequests } from '../../../../lib/server/memory/memory-budget.js';
import { HeapCost } from '../../../../lib/server/memory/memory-limits.js';

describe('estimateRequests', () => {
  it('counts one request, and each of a batch up to its bound (FAIR-02)', () => {
    const batch = (length: number) => Array.from({ length }, () => ({}));
    expect(estimateRequests({}, 10)).toBe(HeapCost.request);
    expect(estimateRequests(batch(0), 10)).toBe(HeapCost.request);
    expect(estimateRequests(batch(3), 10)).toBe(HeapCost.request + 3 * HeapCost.batched);
    expect(estimateRequests(batch(11), 10)).toBe(HeapCost.request + 10 * HeapCost.batched);
  });
});
