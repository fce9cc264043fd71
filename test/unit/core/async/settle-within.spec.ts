import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { settleWithin } from '../../../../lib/core/async/timeouts.js';
import { standStill } from '../../support/stand-still.js';

const NEVER = new Promise<never>(() => undefined);

describe('settleWithin', () => {
  it('waits for work, and tells that it is done (MOD-12)', async () => {
    let isDone = false;
    const work = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void (isDone = true));
    expect(await settleWithin(work, 60_000)).toBe(true);
    expect(isDone).toBe(true);
  });

  it('waits no longer than a time (MOD-12)', async () => {
    const begun = performance.now();
    expect(await settleWithin(NEVER, 20)).toBe(false);
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('waits no longer than a signal lets (MOD-12)', async () => {
    const stop = new AbortController();
    const settled = settleWithin(NEVER, 60_000, stop.signal);
    stop.abort();
    expect(await settled).toBe(false);
    expect(await settleWithin(NEVER, 60_000, AbortSignal.abort())).toBe(false);
  });

  it('takes work for done that ended while the process stood still (MOD-12)', async () => {
    const settled = settleWithin(readFile(import.meta.filename), 10);
    standStill(100);
    expect(await settled).toBe(true);
  });

  it('hands on what the work throws (MOD-12)', async () => {
    await expect(settleWithin(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no');
  });
});
