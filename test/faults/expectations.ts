import { expect } from '@jest/globals';
import { ANSWER_MS } from '../support/until.js';
import type { Answers } from './callers.js';
import type { EdgeFigures, EdgeProgram } from './edge-program.js';

/** What a process keeps compiled and pooled, however often it has done the same. */
const HEAP_GROWTH_BYTES = 6 * 1_048_576;

/** Expects of those who did nothing wrong that each was answered in time. */
export function expectServed({ statuses, longestMs }: Answers): void {
  expect(Object.keys(statuses)).toEqual(['200']);
  expect(longestMs).toBeLessThan(ANSWER_MS);
}

/** Expects a server to hold, once it is alone again, what it held before, and gives what it holds then. */
export async function expectNothingLeft(
  program: EdgeProgram,
  before: EdgeFigures,
  { timeoutMs, heapGrowthBytes = HEAP_GROWTH_BYTES }: { timeoutMs?: number; heapGrowthBytes?: number } = {},
): Promise<EdgeFigures> {
  const after = await program.settle(before, timeoutMs);
  expect(after.resources).toEqual(before.resources);
  expect(after.running).toBe(before.running);
  expect(after.heapBytes - before.heapBytes).toBeLessThan(heapGrowthBytes);
  return after;
}
