import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';

/** After this time, a session that is in use now may be idle. */
const RETRY_AFTER_MS = 5000;

/** The server or this caller has reached its session limit, and no session can be evicted. The client can try again later. */
export class SessionLimitError extends RateLimitedError {
  constructor() {
    super('The server has reached its session limit: try again later', { retryAfterMs: RETRY_AFTER_MS });
  }
}
