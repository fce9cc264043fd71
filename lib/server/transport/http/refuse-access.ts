import type { AuthError } from '../../../core/oauth/auth.error.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { OutboundError } from '../../../core/protocol/outbound-message.js';
import { AuthUnavailableError } from '../../auth/validators/auth-unavailable.error.js';
import type { HttpExchange } from './http-exchange.js';

/** Answers with why the guard refused a request; the caller learns no more than its status and challenge say. */
export function refuseAccess(exchange: HttpExchange, refusal: AuthError | AuthUnavailableError): void {
  if (refusal instanceof AuthUnavailableError) {
    exchange.response.setHeader('Retry-After', refusal.retryAfterSeconds);
    const message = 'Tokens cannot be checked at the moment: try again later';
    const error = { code: ErrorCode.InternalError, message };
    exchange.tellRefused({ reason: 'auth_unavailable', status: 503, error });
    return exchange.sendMessage(503, new OutboundError(undefined, error, 503));
  }
  const { code: status, message, wwwAuthenticate = 'Bearer' } = refusal;
  const error = { code: ErrorCode.InvalidRequest, message };
  exchange.challenge(wwwAuthenticate);
  exchange.tellRefused({ reason: status === 403 ? 'insufficient_scope' : 'unauthorized', status, error });
  exchange.sendMessage(status, new OutboundError(undefined, error, status));
}
