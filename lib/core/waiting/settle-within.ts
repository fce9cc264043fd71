import { setTimeout as delay } from 'node:timers/promises';

/** Waits for work to be done, until a time-out or a signal. Returns whether it is done. */
export async function settleWithin(
  work: Promise<unknown>,
  longestMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const late = delay(longestMs, undefined, {
    signal: signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
  });
  try {
    return await Promise.race([work.then(() => true), late.catch(() => undefined).then(() => false)]);
  } finally {
    over.abort();
  }
}
