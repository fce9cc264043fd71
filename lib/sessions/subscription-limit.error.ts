import { ErrorCode } from '../protocol/error-codes.js';
import { McpError } from '../protocol/mcp.error.js';

/** The session has as many subscriptions as it may. */
export class SubscriptionLimitError extends McpError {
  constructor(limit: number) {
    super(
      ErrorCode.InvalidParams,
      `The session has reached its limit of ${limit} subscriptions: unsubscribe from one first`,
    );
  }
}
