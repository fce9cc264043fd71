import { inTime } from './in-time.js';
import { isPromiseLike } from './is-promise-like.js';

/** Milliseconds that the application's code may take for a decision about a request. */
const LONGEST_MS = 5000;

/** A request whose time is over has failed by itself before what it waits for is given up. */
const AFTERWARDS_MS = 10;

/** Says how long a decision may take: 5 seconds, or as long as its request may take. */
export function limitDecision(requestTimeoutMs = Infinity): number {
  return Math.min(LONGEST_MS, requestTimeoutMs + AFTERWARDS_MS);
}

/**
 * Waits for a decision of the application's code. One that is there at once costs nothing.
 *
 * @throws {Error} if the code takes longer: the one that `createError` returns
 */
export function decideInTime<Decision>(
  decision: Decision | PromiseLike<Decision>,
  longestMs: number,
  createError: () => Error,
): Decision | Promise<Decision> {
  if (!isPromiseLike(decision)) return decision;
  return inTime(Promise.resolve(decision), longestMs, createError);
}
