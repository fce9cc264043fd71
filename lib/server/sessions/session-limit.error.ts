import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';

/** Until then a session that is in use now may be idle. */
const RETRY_AFTER_MS = 5000;

/** The server, or this caller, has as many sessions as may be, and none makes room: the client can try again later. */
export class SessionLimitError extends RateLimitedError {
  constructor() {
    super('The server has reached its limit of sessions: try again later', { retryAfterMs: RETRY_AFTER_MS });
  }
}
