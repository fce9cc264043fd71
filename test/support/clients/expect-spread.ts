import { expect } from '@jest/globals';
import type { EventStream } from './event-stream.js';

/** Expects that the last event of a stream told when to come back: after a time, or up to half as long again. */
export function expectSpread({ events }: Pick<EventStream, 'events'>, shortestMs: number): void {
  const { retry } = events.at(-1) ?? {};
  expect(retry).toBeGreaterThanOrEqual(shortestMs);
  expect(retry).toBeLessThanOrEqual(shortestMs * 1.5);
}
