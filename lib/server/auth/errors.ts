import { roundUpCount } from '../../core/protocol/rate-limited.error.js';

/**
 * Reports why a token is not valid. The reason is logged at level `debug`, and never sent to the caller.
 *
 * @example
 * throw new InvalidTokenError('it was revoked');
 */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError';

  constructor(
    /** The difference, without secrets: `"iss" is "https://other.example.com", expected "https://login.example.com"`. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The token is not valid: ${reason}`, options);
  }
}

/** The response to an {@link AuthUnavailableError}. */
export interface AuthUnavailableOptions extends ErrorOptions {
  /** Seconds after which the caller may try again, rounded up. @default 5 */
  readonly retryAfterSeconds?: number;
  /** 503 if no token can be checked; 429 if only this one cannot. @default 503 */
  readonly httpStatus?: 429 | 503;
}

/**
 * Throw it if a token cannot be checked at the moment. Use status 503 if a service is unavailable for all callers,
 * and 429 if the cause is this token or the number of tokens. A failure that any client can cause with invented
 * tokens must not be a 503, because proxies remove servers from service that respond with 5xx.
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
  /** The response status. */
  readonly httpStatus: 429 | 503;

  /** @throws {RangeError} if `retryAfterSeconds` is not 0 or more, or is more than `Number.MAX_SAFE_INTEGER` */
  constructor(
    /** Why the token cannot be checked, for the log. */
    reason: string,
    { retryAfterSeconds = 5, httpStatus = 503, ...options }: AuthUnavailableOptions = {},
  ) {
    super(reason, options);
    this.httpStatus = httpStatus;
    this.retryAfterSeconds = roundUpCount('retryAfterSeconds', retryAfterSeconds);
  }
}

/** Too many introspection requests are running, so it is unknown whether the token is active. */
export class IntrospectionOverloadError extends AuthUnavailableError {
  constructor(cause: unknown = new Error('too many introspection requests are running')) {
    super('tokens cannot be introspected', { retryAfterSeconds: 1, httpStatus: 429, cause });
  }
}

/** Reports why a document of an authorization server could not be fetched, in a sentence that names its URL. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  constructor(
    message: string,
    /** The response status, if the status or the body was invalid. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error code for a refused proof or its token (RFC 9449 §7.1, §9). */
type ProofErrorCode = 'invalid_dpop_proof' | 'invalid_token' | 'use_dpop_nonce';

/** Reports why a request with the scheme `DPoP` is refused. */
export class RefusedProofError extends Error {
  override readonly name = 'RefusedProofError';

  constructor(
    /** The problem, for the sender: a sentence without quotes and secrets. */
    readonly description: string,
    readonly code: ProofErrorCode = 'invalid_dpop_proof',
    options?: ErrorOptions,
  ) {
    super(description, options);
  }
}

/**
 * Reports why a caller's token is not sent to the authorization server. The message completes a sentence in the log.
 */
export class UnexchangeableTokenError extends Error {
  override readonly name = 'UnexchangeableTokenError';
}
