import type { AuthError } from '../../../core/oauth/auth.error.js';
import { OutboundError } from '../../../core/protocol/outbound-message.js';
import { describeRefusal, findDeniedCaller } from '../../auth/auth-refusal.js';
import { AuthUnavailableError } from '../../auth/errors.js';
import { logShortage } from '../../log/refusal-log.js';
import { type HttpExchange, sendRefusal } from './http-exchange.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';

/** Sends the guard's refusal. The caller learns nothing beyond its status and challenge. */
export function refuseAccess(exchange: HttpExchange, refusal: AuthError | AuthUnavailableError): void {
  const authentication = exchange.authentication ?? findDeniedCaller(refusal);
  const { error, status = 401, reason, shortage } = describeRefusal(refusal);
  if (refusal instanceof AuthUnavailableError) {
    exchange.response.setHeader('Retry-After', refusal.retryAfterSeconds);
  } else {
    exchange.challenge(refusal.wwwAuthenticate ?? 'Bearer');
    logShortage(refusal, { authentication, http: exchange });
  }
  sendRefusal(exchange, { reason, shortage, authentication }, new OutboundError(undefined, error, status));
}

/**
 * Rejects a method that a path does not support.
 *
 * @param allowed the supported methods, as an `Allow` header value (RFC 9110 §10.2.1)
 * @param fix what the caller may have intended
 */
export function refuseMethod(exchange: HttpExchange, allowed: string, fix?: string): undefined {
  exchange.response.setHeader('Allow', allowed);
  const text = `Method not allowed: use ${allowed}${fix === undefined ? '' : `; ${fix}`}`;
  exchange.refuse(new McpError(ErrorCode.InvalidRequest, text, undefined, 405));
  return undefined;
}
