import type { Logger } from '../../core/logger/logger.js';
import { formatLine, type LogSubject } from './format-line.js';

/** How long a line is not written again. */
const PERIOD_MS = 600_000;

/** Lines in that time: strangers may make causes up. */
const MOST_LINES = 20;

/** Tells an operator why requests are refused that may be meant well: each cause once in ten minutes, and few of them. */
export class RefusalLog {
  readonly #told = new Set<string>();
  #begunAt = -Infinity;

  constructor(private readonly logger: Logger) {}

  /**
   * Writes a line about a request, unless there was one of the same cause, or too many. What a stranger sent must be quoted and cut in it.
   *
   * @param cause tells it from others. @default the line
   */
  tell(line: string, subject: LogSubject, cause = line): void {
    const now = performance.now();
    if (now - this.#begunAt >= PERIOD_MS) {
      this.#told.clear();
      this.#begunAt = now;
    }
    if (this.#told.has(cause) || this.#told.size >= MOST_LINES) return;
    this.#told.add(cause);
    this.logger.warn(formatLine(line, subject));
  }
}
