import { roundUpCount } from '../../core/protocol/rate-limited.error.js';

/**
 * Says why a token is not valid. The caller never learns the reason. The log has it at level `debug`.
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

/** Too many questions come at the moment: it is not known whether the token is active, and nothing speaks against it. */
export class IntrospectionOverloadError extends AuthUnavailableError {
  constructor(cause: unknown = new Error('too many questions are under way')) {
    super('tokens cannot be introspected', { retryAfterSeconds: 1, httpStatus: 429, cause });
  }
}

/** Says why a document of an authorization server could not be got, by a sentence that names its URL. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  constructor(
    message: string,
    /** The status of the answer, if that or the body was wrong. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Why a proof, or the token that it goes with, is refused, by its name on the wire (RFC 9449 §7.1, §9). */
type ProofErrorCode = 'invalid_dpop_proof' | 'invalid_token' | 'use_dpop_nonce';

/** Says why a request by the scheme `DPoP` is refused. */
export class RefusedProofError extends Error {
  override readonly name = 'RefusedProofError';

  constructor(
    /** The fault, for the sender: a sentence without quotes and without secrets. */
    readonly description: string,
    readonly code: ProofErrorCode = 'invalid_dpop_proof',
    options?: ErrorOptions,
  ) {
    super(description, options);
  }
}

/** Says why a caller's token is sent to no authorization server, as the end of a sentence for the log. */
export class UnexchangeableTokenError extends Error {
  override readonly name = 'UnexchangeableTokenError';
}
