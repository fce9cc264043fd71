import { setTimeout as delay } from 'node:timers/promises';
import { isPromiseLike } from './promises.js';
import { callAfter, graceAfter } from './timers.js';

/**
 * Waits for work up to a time limit. Work that exceeds it continues, but its result is ignored. If the process was
 * suspended, work that has finished by then still counts.
 *
 * @throws {Error} the error from `createError`, if it exceeds the limit
 */
export function withTimeout<Result>(
  work: Promise<Result>,
  longestMs: number,
  createError: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stopClock = callAfter(longestMs, () => reject(createError()));
    work.then(resolve, reject).then(stopClock, stopClock);
  });
}

/** The time limit for a decision by application code, in milliseconds. */
const LONGEST_MS = 5000;

/** A request with a shorter timeout fails first, before its decision is abandoned. */
const AFTERWARDS_MS = 10;

/** Computes the time limit for a decision: 5 seconds, or its request's timeout. */
export function limitDecision(requestTimeoutMs = Infinity): number {
  return Math.min(LONGEST_MS, requestTimeoutMs + AFTERWARDS_MS);
}

/**
 * Waits for a decision by application code. A synchronous one costs nothing.
 *
 * @throws {Error} the error from `createError`, if it exceeds the limit
 */
export function withDecisionTimeout<Decision>(
  decision: Decision | PromiseLike<Decision>,
  longestMs: number,
  createError: () => Error,
): Decision | Promise<Decision> {
  if (!isPromiseLike(decision)) return decision;
  return withTimeout(Promise.resolve(decision), longestMs, createError);
}

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
