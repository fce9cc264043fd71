import type { Authentication, AuthMethod } from '../../context/authentication.js';
import type { RequestSpan } from '../../telemetry/request-tracing.js';

/** A validated token. */
export interface Validated {
  readonly authentication: Authentication;
  /** Whether it was validated before. */
  readonly isCached: boolean;
}

/** A validated token that can be reused without validating it again. */
export interface ReusableValidation extends Validated {
  /** Whether it is still valid: it has neither expired nor been revoked. */
  isCurrent(): boolean;
}

/** A validator's result for a token that it does not recognize. */
interface Unrecognized {
  /** The difference, for the log: `"iss" is "https://other.example.com", expected "https://login.example.com"`. */
  readonly unrecognized: string;
}

/** Returns whether a token belongs to one of the selected callers. */
export type MatchesCaller = (authentication: Authentication) => boolean;

export type Outcome = Validated | ReusableValidation | Unrecognized;

/** Validates tokens of one kind. */
export interface Validator {
  readonly method: AuthMethod;
  /**
   * Validates a token, or reports why it does not recognize it. A {@link ReusableValidation} is returned
   * synchronously.
   *
   * @param request the request with the token, if known. Its address limits how many invented tokens are checked
   * @throws {InvalidTokenError} if it recognizes the token, but the token is not valid, thrown or as a rejection
   * @throws {AuthUnavailableError} if the token cannot be checked at the moment, thrown or as a rejection
   */
  validate(token: string, span?: RequestSpan, request?: object): Outcome | Promise<Outcome>;
  /** Whether the last attempt to check a token failed. @default false */
  readonly isFailing?: boolean;
  /** Clears the cache. */
  clear?(): void;
  /** Clears the cached tokens of some callers. */
  forget?(isTheirs: MatchesCaller): void;
}
