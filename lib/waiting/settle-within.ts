import { setTimeout as delay } from 'node:timers/promises';

/** Waits for work to be done, but no longer than a time, or than a signal lets. */
export async function settleWithin(
  work: Promise<unknown>,
  longestMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const late = delay(longestMs, undefined, {
    signal: signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
  });
  await Promise.race([work, late.catch(() => undefined)]);
  over.abort();
}
