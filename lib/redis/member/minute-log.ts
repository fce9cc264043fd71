import type { Logger } from '@nestjs/common';

const MINUTE_MS = 60_000;

/** Warns of each condition once a minute at most. */
export class MinuteLog {
  readonly #warned = new Map<string, number>();

  constructor(private readonly logger: Pick<Logger, 'warn' | 'log'>) {}

  warn(condition: string, text: string): void {
    if (this.#isDue(condition)) this.logger.warn(text);
  }

  log(condition: string, text: string): void {
    if (this.#isDue(condition)) this.logger.log(text);
  }

  #isDue(condition: string): boolean {
    const now = performance.now();
    const last = this.#warned.get(condition);
    if (last !== undefined && now - last < MINUTE_MS) return false;
    this.#warned.set(condition, now);
    return true;
  }
}
