import type { Logger } from '@nestjs/common';
import { OnceAMinute } from '../../core/waiting/once-a-minute.js';

/** Logs each condition once a minute at most, and none before the application has started. */
export class MinuteLog {
  isStarted = false;
  readonly #due = new OnceAMinute();

  constructor(private readonly logger: Pick<Logger, 'warn' | 'log'>) {}

  warn(condition: string, text: string): void {
    if (this.isStarted && this.#due.isDue(condition)) this.logger.warn(text);
  }

  log(condition: string, text: string): void {
    if (this.isStarted && this.#due.isDue(condition)) this.logger.log(text);
  }
}
