import { actAfter } from '../../core/waiting/act-after.js';

/** Gives what work comes to, or throws an error if it takes too long: nobody waits for the rest of it. */
export function inTime<Result>(
  work: Promise<Result>,
  longestMs: number,
  createError: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stopClock = actAfter(longestMs, () => reject(createError()));
    void work.then(resolve, reject).finally(stopClock);
  });
}
