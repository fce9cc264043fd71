import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';

/** The session has reached its limit on subscriptions, or on characters in them. */
export class SubscriptionLimitError extends McpError {
  constructor(limit: number, counted: 'subscriptions' | 'characters in subscriptions') {
    super(
      ErrorCode.InvalidParams,
      `The session has reached its limit of ${limit} ${counted}: unsubscribe from one first`,
    );
  }
}
