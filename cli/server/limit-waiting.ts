import { setTimeout as delay } from 'node:timers/promises';
import { findServerLimit, readRateLimitedResponse } from '../../lib/core/protocol/rate-limited.error.js';
import { RetryBudget } from '../../lib/core/async/retry.js';
import type { Terminal } from '../command.interface.js';

/** Retries rate-limited requests, within the time that the user allows. */
export class LimitWaiting {
  readonly #patience: RetryBudget;

  constructor(
    longestMs: number,
    private readonly terminal: Pick<Terminal, 'complain'>,
  ) {
    this.#patience = new RetryBudget(longestMs);
  }

  /** Retries work until the server accepts it or the time is up. */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        await this.#wait(error, signal);
      }
    }
  }

  /** Creates a `fetch` that retries a request while the server responds with 429, until the time is up. */
  createFetch(send: typeof fetch): typeof fetch {
    return (input, init) =>
      this.run(async () => {
        const response = await send(input, init);
        if (response.status !== 429 || init?.method !== 'POST') return response;
        throw await readRateLimitedResponse(response);
      }, init?.signal ?? undefined);
  }

  async #wait(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const limit = findServerLimit(error);
    const waitMs = limit && this.#patience.take(limit.retryAfterMs);
    if (waitMs === undefined) throw error;
    this.terminal.complain(
      `The server is rate limiting requests: trying again in ${Math.ceil(waitMs / 1000)} s`,
    );
    await delay(waitMs, undefined, signal && { signal });
  }
}
