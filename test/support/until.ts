import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 5;

/** How long what a test waits for may take: programs, a browser or a Redis share the machine with one another. */
export const PATIENCE_MS = process.env.TESTS === undefined ? 5_000 : 30_000;

/** The same for what a server is asked for. */
export const ANSWER_MS = Math.max(PATIENCE_MS, 10_000);

/**
 * Waits until a condition holds, and gives what it gave.
 *
 * @param measureProgress how much of it is there: as long as that changes, the deadline is put off
 * @throws Error after the deadline, with the name of what was awaited, which may be made then
 * @example
 * const [session] = await until(() => notifier.sessions.length > 0 && notifier.sessions, 'a session');
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  awaited: string | (() => string),
  timeoutMs = PATIENCE_MS,
  measureProgress: () => number = () => 0,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  let deadline = performance.now() + timeoutMs;
  let before = measureProgress();
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined | 0 | ''>;
    if (performance.now() > deadline) {
      const now = measureProgress();
      if (now === before) {
        throw new Error(`Waited ${timeoutMs} ms for ${typeof awaited === 'string' ? awaited : awaited()}`);
      }
      before = now;
      deadline = performance.now() + timeoutMs;
    }
    await delay(POLL_MS);
  }
}

/**
 * Waits for a promise, but not longer than the deadline.
 *
 * @param measureProgress how much of it is there: as long as that changes, the deadline is put off
 */
export async function within<T>(
  promise: Promise<T>,
  awaited: string,
  timeoutMs = PATIENCE_MS,
  measureProgress: () => number = () => 0,
): Promise<T> {
  const stop = new AbortController();
  const late = standStill(measureProgress, timeoutMs, stop.signal).then(() => {
    throw new Error(`Waited ${timeoutMs} ms for ${awaited}`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
  }
}

async function standStill(measureProgress: () => number, forMs: number, signal: AbortSignal): Promise<void> {
  let before: number;
  do {
    before = measureProgress();
    await delay(forMs, undefined, { signal });
  } while (measureProgress() !== before);
}
