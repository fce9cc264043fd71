import { Logger } from '@nestjs/common';
import { describeFailure } from '../context/describe-failure.js';

/** Between two lines of the same cause: each event may bring one. */
const PAUSE_MS = 10_000;

/** Tells the log of what may go wrong with every event, each cause once in a while, and how often it was since. */
export class PauseLog {
  readonly #logger = new Logger('McpAudit');
  readonly #toldAt = new Map<string, { at: number; since: number }>();

  error(cause: string, line: string, error?: unknown): void {
    const now = performance.now();
    const told = this.#toldAt.get(cause) ?? { at: -Infinity, since: 0 };
    this.#toldAt.set(cause, told);
    if (now - told.at < PAUSE_MS) {
      told.since += 1;
      return;
    }
    const more = told.since === 0 ? '' : ` (${told.since} times more since the last such line)`;
    told.at = now;
    told.since = 0;
    if (error === undefined) return this.#logger.error(line + more);
    const { text, stack } = describeFailure(error);
    this.#logger.error(`${line}${more}: ${text}`, stack);
  }
}
