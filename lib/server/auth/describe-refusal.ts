import { AuthError } from '../../core/oauth/auth.error.js';
import { findShortage } from '../../core/oauth/scope-shortage.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcErrorObject } from '../../core/protocol/json-rpc.js';
import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import type { Refusal } from '../telemetry/refusal.interface.js';
import { AuthUnavailableError } from './validators/auth-unavailable.error.js';

/** What a caller learns whose token may be checked later. */
export const UNCHECKED_TOKEN = 'The token cannot be checked yet: try again later';

/** Tells whether something was thrown because of a token. */
export function isRefusal(error: unknown): error is AuthError | AuthUnavailableError {
  return error instanceof AuthError || error instanceof AuthUnavailableError;
}

/** Says for telemetry and the audit why a token does not do. */
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
    shortage: findShortage(refusal),
  };
}

function createLimit(retryAfterSeconds: number): JsonRpcErrorObject {
  return new RateLimitedError(UNCHECKED_TOKEN, { retryAfterMs: retryAfterSeconds * 1000 }).toJSON();
}
