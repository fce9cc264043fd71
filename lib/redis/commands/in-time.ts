import { inTime as waitInTime } from '../../core/waiting/in-time.js';
import { RedisError } from './redis.error.js';

/**
 * Waits for Redis, but no longer than a time limit. If the process stood still meanwhile, an answer that has arrived still counts.
 *
 * @throws {RedisError} with the code `time`
 */
export function inTime<Answer>(work: Promise<Answer>, longestMs: number): Promise<Answer> {
  return waitInTime(
    work,
    longestMs,
    () => new RedisError('time', `Redis did not answer within ${longestMs} ms`),
  );
}
