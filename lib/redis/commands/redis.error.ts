import { isRefusal, parseLinkFailure, type LinkFailure } from '../clients/link-failure.js';

/**
 * Why Redis did not run a command.
 * - `reach`: it is out of reach
 * - `time`: it did not answer in time
 * - `busy`: too many commands wait for it
 * - `refused`: it refused the command, or the login
 * - `closed`: the process has left the cluster
 */
export type RedisErrorCode = 'reach' | 'time' | 'busy' | 'refused' | 'closed';

/** Is thrown if Redis did not do what it was asked for, or did not say so in time. */
export class RedisError extends Error {
  override readonly name = 'RedisError';

  constructor(
    readonly code: RedisErrorCode,
    message: string,
    /** What Redis, or the system, calls it, such as `NOPERM` or `ECONNREFUSED`; absent if it has no name. */
    readonly reason?: string,
  ) {
    super(message);
  }
}

/** Words that clients use of a connection, and that Redis does not use of a command. */
const CONNECTION = /clos|connect|socket|ECONN|EPIPE|offline|writeable|retries|aborted|terminated/i;

/** Reads the error of a client. Only its reason is kept, since clients quote commands with their values in it. */
export function readRedisError(error: unknown): RedisError {
  if (error instanceof RedisError) return error;
  const failure = parseLinkFailure(error);
  if (failure === undefined) return new RedisError('reach', 'Redis is out of reach');
  const { text, reason } = failure;
  const isOfRedis = /^[A-Z]{3,}\b/.test(text) && !/^E[A-Z]+ /.test(text);
  return CONNECTION.test(text) && !isOfRedis
    ? new RedisError('reach', `Redis is out of reach: ${text}`, reason)
    : new RedisError('refused', `Redis refused a command: ${text}`, reason);
}

/** Says why there is no connection. */
export function createReachError(
  failure: LinkFailure | undefined,
  otherwise = 'it is not connected',
): RedisError {
  if (failure === undefined) return new RedisError('reach', `Redis is out of reach: ${otherwise}`);
  const { text, reason } = failure;
  return isRefusal(reason)
    ? new RedisError('refused', `Redis refused the login: ${text}`, reason)
    : new RedisError('reach', `Redis is out of reach: ${text}`, reason);
}

/** Says that the client is closed, and why, if that was not the application. */
export function createClosedError(failure: LinkFailure | undefined): RedisError {
  const why = failure === undefined ? '' : `: ${failure.text}`;
  return new RedisError('closed', `The client of Redis is closed${why}`, failure?.reason);
}
