import { findServerLimit } from '../../../core/protocol/limited-answer.js';
import { LimitPatience } from '../../../core/waiting/limit-patience.js';
import { McpClientLimitedError } from '../errors/client-limited.error.js';

/** How a client waits for a server that limits requests. */
export interface LimitWaits {
  readonly client: string;
  /** Milliseconds to wait in all. */
  readonly longestMs: number;
  readonly pause: (delayMs: number) => Promise<void>;
}

/**
 * Does work again as often as a server that limits requests asks for it: it has done nothing of it.
 *
 * @throws {McpClientLimitedError} if that takes too long
 */
export async function waitOutLimits<Result>(
  work: () => Promise<Result>,
  { client, longestMs, pause }: LimitWaits,
): Promise<Result> {
  const patience = new LimitPatience(longestMs);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const limit = findServerLimit(error);
      if (limit === undefined) throw error;
      const waitMs = patience.take(limit.retryAfterMs);
      if (waitMs === undefined) throw new McpClientLimitedError(client, limit, error);
      await pause(waitMs);
    }
  }
}
