import type { IncomingMessage } from 'node:http';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { HttpExchange } from '../http-exchange.js';
import { noteRefusal } from '../send-refusal.js';

/**
 * Takes note if something else of the application refuses a request to the endpoint, such as a guard or a middleware. Most requests are
 * with the transport already when they have been passed on: those need not be watched.
 */
export function watchForeignAnswer(request: IncomingMessage): void {
  const exchange = HttpExchange.find(request);
  if (exchange?.startedAt === undefined || exchange.isServed) return;
  const { response } = exchange;
  response.once('close', () => {
    const { statusCode: status, headersSent } = response;
    if (exchange.isServed || !headersSent || status < 400) return;
    const error = { code: ErrorCode.InvalidRequest, message: response.statusMessage };
    // What was sent is nobody's to take back.
    void noteRefusal(exchange, { status, error });
  });
}
