import { roundUpCount } from '../../../core/protocol/round-up-count.js';

/**
 * Throw it if a token cannot be checked at the moment because a service is out of reach. The answer has the status 503.
 *
 * @example
 * throw new AuthUnavailableError('the key service does not answer', { retryAfterSeconds: 10 });
 *
 * @see RFC 9110 §15.6.4
 */
export class AuthUnavailableError extends Error {
  override readonly name = 'AuthUnavailableError';
  /** Whole seconds after which the caller may try again (RFC 9110 §10.2.3). */
  readonly retryAfterSeconds: number;

  /** @throws {RangeError} if `retryAfterSeconds` is not 0 or more, or is more than `Number.MAX_SAFE_INTEGER` */
  constructor(
    /** What is out of reach, for the log. */
    reason: string,
    { retryAfterSeconds = 5, ...options }: ErrorOptions & { readonly retryAfterSeconds?: number } = {},
  ) {
    super(reason, options);
    this.retryAfterSeconds = roundUpCount('retryAfterSeconds', retryAfterSeconds);
  }
}
