import { roundUpCount } from '../../../core/protocol/round-up-count.js';

/** How an {@link AuthUnavailableError} is answered. */
export interface AuthUnavailableOptions extends ErrorOptions {
  /** Seconds after which the caller may try again, rounded up. @default 5 */
  readonly retryAfterSeconds?: number;
  /** 503 if nobody's token can be checked, 429 if others can. @default 503 */
  readonly httpStatus?: 429 | 503;
}

/**
 * Throw it if a token cannot be checked at the moment. The answer has the status 503 if a service is out of reach for
 * everybody, and 429 if the reason is this token, or how many of them come. Whatever anybody can cause by sending tokens must
 * not be 503, because proxies take servers out of service that answer with 5xx.
 *
 * @example
 * throw new AuthUnavailableError('the key service does not answer', { retryAfterSeconds: 10 });
 *
 * @see RFC 9110 §15.6.4, RFC 6585 §4
 */
export class AuthUnavailableError extends Error {
  override readonly name = 'AuthUnavailableError';
  /** Whole seconds after which the caller may try again (RFC 9110 §10.2.3). */
  readonly retryAfterSeconds: number;
  /** The status of the answer. */
  readonly httpStatus: 429 | 503;

  /** @throws {RangeError} if `retryAfterSeconds` is not 0 or more, or is more than `Number.MAX_SAFE_INTEGER` */
  constructor(
    /** Why it cannot be checked, for the log. */
    reason: string,
    { retryAfterSeconds = 5, httpStatus = 503, ...options }: AuthUnavailableOptions = {},
  ) {
    super(reason, options);
    this.httpStatus = httpStatus;
    this.retryAfterSeconds = roundUpCount('retryAfterSeconds', retryAfterSeconds);
  }
}
