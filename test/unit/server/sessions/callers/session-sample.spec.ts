import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { countSampled, sampleSessions } from '../../../../../lib/server/sessions/mcp-sessions.js';

/** Makes keys that are as good as random, and the same each time. */
function createKeys(first: number, last: number): string[] {
  return Array.from({ length: last - first }, (_, index) =>
    createHash('md5')
      .update(String(first + index))
      .digest('base64url'),
  );
}

describe('A sample of sessions', () => {
  it('counts each session once that several processes know (RELAY-11)', () => {
    const samples = [createKeys(0, 300), createKeys(200, 500)].map(sampleSessions);
    expect(countSampled(samples)).toEqual({ size: 500, isExact: true });
  });

  it('counts nothing where there is nothing (RELAY-11)', () => {
    expect(countSampled([])).toEqual({ size: 0, isExact: true });
    expect(countSampled([sampleSessions([])])).toEqual({ size: 0, isExact: true });
  });

  it('is bounded, and estimates what is more within a few per cent (RELAY-11)', () => {
    const samples = [createKeys(0, 40_000), createKeys(30_000, 50_000), createKeys(0, 50)].map(
      sampleSessions,
    );
    for (const { keys } of samples) expect(keys.length).toBeLessThanOrEqual(80_000);
    const { size, isExact } = countSampled(samples);
    expect(isExact).toBe(false);
    expect(Math.abs(size - 50_000)).toBeLessThan(2500);
  });
});
