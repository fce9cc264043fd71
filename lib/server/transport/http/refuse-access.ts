import type { AuthError } from '../../../core/oauth/auth.error.js';
import { OutboundError } from '../../../core/protocol/outbound-message.js';
import { describeRefusal, findDeniedCaller } from '../../auth/auth-refusal.js';
import { AuthUnavailableError } from '../../auth/errors.js';
import { logShortage } from '../../log/refusal-log.js';
import type { HttpExchange } from './http-exchange.js';
import { sendRefusal } from './send-refusal.js';

/** Answers with why the guard refused a request; the caller learns no more than its status and challenge say. */
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
