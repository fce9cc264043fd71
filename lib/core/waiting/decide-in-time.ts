import { withTimeout } from './in-time.js';
import { isPromiseLike } from './is-promise-like.js';

/** The time limit of a decision by application code, in milliseconds. */
const LONGEST_MS = 5000;

/** A request with a shorter timeout fails first, before its decision is abandoned. */
const AFTERWARDS_MS = 10;

/** Computes the time limit of a decision: 5 seconds, or the timeout of its request. */
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
