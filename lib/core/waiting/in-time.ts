import { callAfter } from './act-after.js';

/**
 * Waits for work up to a time limit. Work that exceeds it continues, but its result is ignored. If the process was
 * suspended, work that is done by then still counts.
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
