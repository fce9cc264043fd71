import { Logger } from '../../core/logger/logger.js';
import { type AuthError, findInsufficientScope } from '../../core/oauth/auth.error.js';
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
  warn(line: string, subject: LogSubject, cause = line): void {
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

const logger = new Logger('McpAuth');

const LONGEST = 200;

/** Tells the log, at level `debug`, of a request that was refused because its token does not allow enough. */
export function logShortage(refusal: AuthError, subject: LogSubject): void {
  const shortage = findInsufficientScope(refusal);
  // A caller without a token lacks all of them.
  if (shortage === undefined || refusal.code === 401) return;
  const { needed, held } = shortage;
  const line = `A request was refused: its token has ${format(held)}, expected ${format(needed)}`;
  logger.debug(formatLine(line, subject));
}

function format(scopes: readonly string[]): string {
  return scopes.length === 0
    ? 'no scopes'
    : `the scopes ${JSON.stringify(scopes.join(' ').slice(0, LONGEST))}`;
}
