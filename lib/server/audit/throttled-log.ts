import { Logger } from '../../core/logger/logger.js';
import { logError } from '../../core/log/describe-failure.js';

/** Milliseconds between two lines with the same cause. */
const PAUSE_MS = 10_000;

/** The suppressed lines for a cause. */
interface Pause {
  readonly timer: NodeJS.Timeout;
  readonly line: string;
  last: unknown;
  count: number;
}

/**
 * Logs errors that may repeat with every event. Each cause is logged immediately, and then periodically with its
 * count.
 */
export class ThrottledLog {
  readonly #logger = new Logger('McpAudit');
  readonly #pauses = new Map<string, Pause>();

  error(cause: string, line: string, error?: unknown): void {
    const pause = this.#pauses.get(cause);
    if (pause === undefined) {
      this.#write(line, error);
      return this.#rest(cause, line);
    }
    pause.last = error;
    pause.count += 1;
  }

  /** Writes the suppressed lines. */
  close(): void {
    for (const pause of this.#pauses.values()) {
      clearTimeout(pause.timer);
      this.#writeCount(pause);
    }
    this.#pauses.clear();
  }

  #rest(cause: string, line: string): void {
    const end = (): void => {
      const pause = this.#pauses.get(cause);
      this.#pauses.delete(cause);
      if (pause !== undefined && this.#writeCount(pause)) this.#rest(cause, line);
    };
    const timer = setTimeout(end, PAUSE_MS).unref();
    this.#pauses.set(cause, { timer, line, last: undefined, count: 0 });
  }

  /** Logs how often the line was suppressed. Returns whether it was suppressed at all. */
  #writeCount({ line, last, count }: Pause): boolean {
    if (count === 0) return false;
    const often = count === 1 ? 'once' : `${count} times`;
    this.#write(`${line} (${often} more since it was last logged)`, last);
    return true;
  }

  #write(line: string, error: unknown): void {
    if (error === undefined) this.#logger.error(line);
    else logError(this.#logger, error, line);
  }
}
