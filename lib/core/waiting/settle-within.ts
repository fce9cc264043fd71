import { setTimeout as delay } from 'node:timers/promises';
import { graceAfter } from './grace-after.js';

/** Waits for work until a timeout or a signal. Returns whether it is done. Work that ended while the process was suspended counts as done. */
export async function settleWithin(
  work: Promise<unknown>,
  longestMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const late = waitOut(
    longestMs,
    signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
  );
  try {
    return await Promise.race([work.then(() => true), late.catch(() => undefined).then(() => false)]);
  } finally {
    over.abort();
  }
}

async function waitOut(milliseconds: number, signal: AbortSignal): Promise<void> {
  const due = performance.now() + milliseconds;
  await delay(milliseconds, undefined, { signal });
  const graceMs = graceAfter(due);
  if (graceMs > 0) await delay(graceMs, undefined, { signal });
}
