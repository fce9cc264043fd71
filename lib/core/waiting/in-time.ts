import { actAfter } from './act-after.js';

/**
 * Waits for work, but no longer than a time. Work that takes longer goes on, but nobody hears what becomes of it. If the process stood
 * still meanwhile, work that is done by then still counts.
 *
 * @throws {Error} if the work takes longer: the one that `createError` returns
 */
export function inTime<Result>(
  work: Promise<Result>,
  longestMs: number,
  createError: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stopClock = actAfter(longestMs, () => reject(createError()));
    work.then(resolve, reject).then(stopClock, stopClock);
  });
}
