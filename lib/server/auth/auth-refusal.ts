import {
  ForbiddenException,
  HttpException,
  HttpStatus,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { AuthError, findInsufficientScope } from '../../core/oauth/auth.error.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcErrorObject } from '../../core/protocol/json-rpc.js';
import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import type { Authentication } from '../context/authentication.js';
import type { Refusal } from '../telemetry/refusal.js';
import { AuthUnavailableError } from './errors.js';
import type { ClosingResponse } from './request-span.js';

/** The message for callers whose token may be checked later. */
const UNCHECKED_TOKEN = 'The token cannot be checked yet: try again later';

/** Returns whether an error is about a token. */
export function isRefusal(error: unknown): error is AuthError | AuthUnavailableError {
  return error instanceof AuthError || error instanceof AuthUnavailableError;
}

/** Describes, for telemetry and the audit, why a token is refused. */
export function describeRefusal(
  refusal: AuthError | AuthUnavailableError,
): Pick<Refusal, 'error' | 'status' | 'reason' | 'shortage'> {
  if (refusal instanceof AuthUnavailableError) {
    const { httpStatus: status, retryAfterSeconds } = refusal;
    if (status === 429) return { reason: 'rate_limited', status, error: createLimit(retryAfterSeconds) };
    const message = 'Tokens cannot be checked at the moment: try again later';
    return { reason: 'auth_unavailable', status, error: { code: ErrorCode.InternalError, message } };
  }
  const { code: status, message } = refusal;
  return {
    reason: status === 403 ? 'insufficient_scope' : 'unauthorized',
    status,
    error: { code: ErrorCode.InvalidRequest, message },
    shortage: findInsufficientScope(refusal),
  };
}

function createLimit(retryAfterSeconds: number): JsonRpcErrorObject {
  return new RateLimitedError(UNCHECKED_TOKEN, { retryAfterMs: retryAfterSeconds * 1000 }).toJSON();
}

/** The adapter's response: Node's own, or a wrapper of it. */
export interface ChallengeableResponse extends ClosingResponse {
  readonly raw?: ChallengeableResponse;
  setHeader(name: string, value: string): unknown;
}

/** Creates Nest's exception for a refusal on an application route, and sets the header that its status requires. */
export function createAuthException(
  error: AuthError | AuthUnavailableError,
  response: ChallengeableResponse,
): HttpException {
  const raw = response.raw ?? response;
  if (!(error instanceof AuthError)) {
    raw.setHeader('Retry-After', String(error.retryAfterSeconds));
    if (error.httpStatus === 429) {
      return new HttpException(UNCHECKED_TOKEN, HttpStatus.TOO_MANY_REQUESTS, { cause: error });
    }
    return new ServiceUnavailableException('Tokens cannot be checked at the moment', { cause: error });
  }
  raw.setHeader('WWW-Authenticate', error.wwwAuthenticate ?? 'Bearer');
  return error.code === 401
    ? new UnauthorizedException(error.message, { cause: error })
    : new ForbiddenException(error.message, { cause: error });
}

/**
 * The refused callers. Refusals themselves do not contain their caller, because their message is sent to the client.
 */
const DENIED = new WeakMap<object, Authentication>();

/** Records the caller whose token lacks scopes. */
export function setDeniedCaller(refusal: unknown, authentication: Authentication | undefined): void {
  if (authentication !== undefined && refusal instanceof Error) DENIED.set(refusal, authentication);
}

/** Returns the caller whose token lacks scopes, or `undefined` for other refusals. */
export function findDeniedCaller(refusal: Error): Authentication | undefined {
  return DENIED.get(refusal);
}
