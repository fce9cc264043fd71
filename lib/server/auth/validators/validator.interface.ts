import type { Authentication, AuthMethod } from '../../context/authentication.js';
import type { RequestSpan } from '../../telemetry/request-tracing.js';

/** What a validator made of a token. */
export interface Validated {
  readonly authentication: Authentication;
  /** Whether it was validated before. */
  readonly isCached: boolean;
}

/** What is known of a token without asking anybody. */
export interface ReusableValidation extends Validated {
  /** Whether it still counts: it has not ended since, nor been forgotten. */
  isCurrent(): boolean;
}

/** The result of a validator for a token that it does not recognize. */
interface Unrecognized {
  /** What differs, for the log: `"iss" is "https://other.example.com", expected "https://login.example.com"`. */
  readonly unrecognized: string;
}

/** Tells whether a token is one of some callers. */
export type MatchesCaller = (authentication: Authentication) => boolean;

export type Outcome = Validated | ReusableValidation | Unrecognized;

/** Validates tokens of one kind. */
export interface Validator {
  readonly method: AuthMethod;
  /**
   * Validates a token, or says why it is not one of this validator's. What is {@link ReusableValidation} is given at once.
   *
   * @param request what brought the token, if that is known. Anybody can invent tokens, so they are bounded by its address
   * @throws {InvalidTokenError} if it is one, and no good; the same as a rejection
   * @throws {AuthUnavailableError} if that cannot be told at the moment; the same as a rejection
   */
  validate(token: string, span?: RequestSpan, request?: object): Outcome | Promise<Outcome>;
  /** Whether tokens could not be checked when that was tried last. @default false */
  readonly isFailing?: boolean;
  /** Forgets what was validated. */
  clear?(): void;
  /** Forgets what was validated of some callers. */
  forget?(isTheirs: MatchesCaller): void;
}
