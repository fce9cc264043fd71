import { isRefusal, parseLinkFailure, type LinkFailure } from '../clients/redis-link.js';

/**
 * Why Redis did not run a command.
 * - `reach`: it is unavailable
 * - `time`: it did not respond in time
 * - `busy`: too many commands are pending
 * - `refused`: it refused the command, or the login
 * - `closed`: the process has left the cluster
 */
export type RedisErrorCode = 'reach' | 'time' | 'busy' | 'refused' | 'closed';

/** Thrown if Redis did not run a command, or did not confirm it in time. */
export class RedisError extends Error {
  override readonly name = 'RedisError';

  constructor(
    readonly code: RedisErrorCode,
    message: string,
    /** The error code from Redis or the system, such as `NOPERM` or `ECONNREFUSED`; absent if there is none. */
    readonly reason?: string,
  ) {
    super(message);
  }
}

/** Matches connection errors, but not command errors. */
const CONNECTION = /clos|connect|socket|ECONN|EPIPE|offline|writeable|retries|aborted|terminated/i;

/** Parses a client's error. Uses only the reason, because messages also quote commands with their values. */
export function readRedisError(error: unknown): RedisError {
  if (error instanceof RedisError) return error;
  const failure = parseLinkFailure(error);
  if (failure === undefined) return new RedisError('reach', 'Redis cannot be reached');
  const { text, reason } = failure;
  const isOfRedis = /^[A-Z]{3,}\b/.test(text) && !/^E[A-Z]+ /.test(text);
  return CONNECTION.test(text) && !isOfRedis
    ? new RedisError('reach', `Redis cannot be reached: ${text}`, reason)
    : new RedisError('refused', `Redis refused a command: ${text}`, reason);
}

/** Creates the error for a missing connection. */
export function createReachError(
  failure: LinkFailure | undefined,
  otherwise = 'it is not connected',
): RedisError {
  if (failure === undefined) return new RedisError('reach', `Redis cannot be reached: ${otherwise}`);
  const { text, reason } = failure;
  return isRefusal(reason)
    ? new RedisError('refused', `Redis refused the login: ${text}`, reason)
    : new RedisError('reach', `Redis cannot be reached: ${text}`, reason);
}

/** Creates the error for a command that timed out. */
export function createTimeoutError(longestMs: number): RedisError {
  return new RedisError('time', `Redis did not respond within ${longestMs} ms`);
}

/** The reason in {@link createWrongRedisError}. */
export const WRONG_REDIS = 'ELSEWHERE';

/** Creates the error for a duplicate that does not see the client's writes. */
export function createWrongRedisError(): RedisError {
  const fix = 'set the database in its options instead of calling "select()", and connect it to the primary';
  return new RedisError(
    'refused',
    `The client's duplicate reads a different database or Redis server: ${fix}`,
    WRONG_REDIS,
  );
}

/** Creates the error for a closed client, with the failure that closed it. */
export function createClosedError(failure: LinkFailure | undefined): RedisError {
  const why = failure === undefined ? '' : `: ${failure.text}`;
  return new RedisError('closed', `The Redis client is closed${why}`, failure?.reason);
}
