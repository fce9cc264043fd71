import { setTimeout as delay } from 'node:timers/promises';
import { findServerLimit, readLimitedAnswer } from '../../lib/core/protocol/limited-answer.js';
import { LimitPatience } from '../../lib/core/waiting/limit-patience.js';
import type { Terminal } from '../command.interface.js';

/** Waits for a server that limits requests, as long as the user said. */
export class LimitWaiting {
  readonly #patience: LimitPatience;

  constructor(
    longestMs: number,
    private readonly terminal: Pick<Terminal, 'complain'>,
  ) {
    this.#patience = new LimitPatience(longestMs);
  }

  /** Does work again as often as the server asks for it and the user has time. */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        await this.#wait(error, signal);
      }
    }
  }

  /** Creates a `fetch` that sends a request again as often as the server answers with 429 and the user has time. */
  createFetch(send: typeof fetch): typeof fetch {
    return (input, init) =>
      this.run(async () => {
        const response = await send(input, init);
        if (response.status !== 429 || init?.method !== 'POST') return response;
        throw await readLimitedAnswer(response);
      }, init?.signal ?? undefined);
  }

  async #wait(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const limit = findServerLimit(error);
    const waitMs = limit && this.#patience.take(limit.retryAfterMs);
    if (waitMs === undefined) throw error;
    this.terminal.complain(`The server limits requests: trying again in ${Math.ceil(waitMs / 1000)} s`);
    await delay(waitMs, undefined, signal && { signal });
  }
}
