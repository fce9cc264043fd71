import { AuthError } from '../../core/oauth/auth.error.js';
import { findShortage } from '../../core/oauth/scope-shortage.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { Refusal } from '../telemetry/refusal.interface.js';
import { AuthUnavailableError } from './validators/auth-unavailable.error.js';

/** Tells whether something was thrown because of a token. */
export function isRefusal(error: unknown): error is AuthError | AuthUnavailableError {
  return error instanceof AuthError || error instanceof AuthUnavailableError;
}

/** Says for telemetry and the audit why a token does not do. */
export function describeRefusal(
  refusal: AuthError | AuthUnavailableError,
): Pick<Refusal, 'error' | 'status' | 'reason' | 'shortage'> {
  if (refusal instanceof AuthUnavailableError) {
    const message = 'Tokens cannot be checked at the moment: try again later';
    return { reason: 'auth_unavailable', status: 503, error: { code: ErrorCode.InternalError, message } };
  }
  const { code: status, message } = refusal;
  return {
    reason: status === 403 ? 'insufficient_scope' : 'unauthorized',
    status,
    error: { code: ErrorCode.InvalidRequest, message },
    shortage: findShortage(refusal),
  };
}
