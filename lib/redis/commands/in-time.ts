import { RedisError } from './redis.error.js';

/**
 * Waits for Redis, but no longer than a time.
 *
 * @throws {RedisError} with the code `time`
 */
export function inTime<Answer>(work: Promise<Answer>, longestMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new RedisError('time', `Redis did not answer within ${longestMs} ms`)),
      longestMs,
    );
    const settle = () => clearTimeout(late);
    work.then(resolve, reject).then(settle, settle);
  });
}
