import type { Logger } from '@nestjs/common';

const MINUTE_MS = 60_000;

/** Logs each condition once a minute at most, and none before the application has started. */
export class MinuteLog {
  isStarted = false;
  readonly #told = new Map<string, number>();

  constructor(private readonly logger: Pick<Logger, 'warn' | 'log'>) {}

  warn(condition: string, text: string): void {
    if (this.#isDue(condition)) this.logger.warn(text);
  }

  log(condition: string, text: string): void {
    if (this.#isDue(condition)) this.logger.log(text);
  }

  #isDue(condition: string): boolean {
    const now = performance.now();
    const last = this.#told.get(condition);
    if (!this.isStarted || (last !== undefined && now - last < MINUTE_MS)) return false;
    this.#told.set(condition, now);
    return true;
  }
}
