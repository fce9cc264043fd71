import type { Logger } from '../../core/logger/logger.js';
import { OnceAMinute } from '../../core/waiting/once-a-minute.js';

/** Logs nothing before the application has started. */
export class MinuteLog {
  isStarted = false;
  readonly #due = new OnceAMinute();

  constructor(private readonly logger: Pick<Logger, 'warn' | 'log'>) {}

  /** Warns of a condition at most once a minute. Tells whether it has warned. */
  warn(condition: string, text: string): boolean {
    const isDue = this.isStarted && this.#due.isDue(condition);
    if (isDue) this.logger.warn(text);
    return isDue;
  }

  log(text: string): void {
    if (this.isStarted) this.logger.log(text);
  }
}
