/**
 * Why Redis did not run a command.
 * - `reach`: it is out of reach
 * - `time`: it did not answer in time
 * - `busy`: too many commands wait for it
 * - `refused`: it refused the command
 * - `closed`: the process has left the cluster
 */
export type RedisErrorCode = 'reach' | 'time' | 'busy' | 'refused' | 'closed';

/** Is thrown if Redis did not do what it was asked for, or did not say so in time. */
export class RedisError extends Error {
  override readonly name = 'RedisError';

  constructor(
    readonly code: RedisErrorCode,
    message: string,
  ) {
    super(message);
  }
}

const LONGEST_REASON = 200;

/** What clients say of a connection, and not Redis of a command. */
const CONNECTION = /clos|connect|socket|ECONN|EPIPE|offline|writeable|retries|aborted|terminated/i;

/** Reads what a client rejected with. Clients show commands with their values there, so that nothing is kept of it except the reason. */
export function readRedisError(error: unknown): RedisError {
  if (error instanceof RedisError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const [reason = ''] = text.split(/ script: |, on @|\n/, 1);
  const told = reason.slice(0, LONGEST_REASON);
  if (/^[A-Z]{3,}\b/.test(told) && !/^E[A-Z]+ /.test(told)) {
    return new RedisError('refused', `Redis refused a command: ${told}`);
  }
  return CONNECTION.test(told) || told === ''
    ? new RedisError('reach', `Redis is out of reach${told === '' ? '' : `: ${told}`}`)
    : new RedisError('refused', `Redis refused a command: ${told}`);
}
