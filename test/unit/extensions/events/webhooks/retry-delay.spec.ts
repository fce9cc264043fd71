import { describe, expect, it } from '@jest/globals';
import {
  computeRetryDelay,
  parseRetryAfter,
} from '../../../../../lib/extensions/events/webhooks/retry-delay.js';

const POLICY = { backoffMs: 1000, maximumBackoffMs: 60_000 };

function sample(attempt: number, retryAfterMs?: number): number[] {
  return Array.from({ length: 200 }, () => computeRetryDelay({ attempt, retryAfterMs }, POLICY));
}

describe('The delay before a webhook is sent again', () => {
  it.each([
    [1, 1000],
    [2, 2000],
    [5, 16_000],
    [7, 60_000],
    [2000, 60_000],
  ])('after attempt %i is at most %i ms and at least half of it (EVT-01)', (attempt, longest) => {
    const delays = sample(attempt);
    expect(Math.max(...delays)).toBeLessThanOrEqual(longest);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(longest / 2);
    expect(new Set(delays).size).toBeGreaterThan(1);
  });

  it('is what the receiver asks for where that is more, within the bound (EVT-01)', () => {
    expect(Math.min(...sample(1, 30_000))).toBe(30_000);
    expect(Math.max(...sample(1, 3_600_000))).toBe(60_000);
    expect(Math.max(...sample(1, 0))).toBeLessThanOrEqual(1000);
  });
});

describe('Retry-After (RFC 9110 §10.2.3)', () => {
  const NOW = Date.UTC(2026, 0, 1);

  it.each([
    [undefined, undefined],
    ['120', 120_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['9'.repeat(400), undefined],
  ])('of %j is %j ms (EVT-01)', (header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected);
  });
});
