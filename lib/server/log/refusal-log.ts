import { Logger } from '../../core/logger/logger.js';
import { type AuthError, findInsufficientScope } from '../../core/oauth/auth.error.js';
import { formatLine, type LogSubject } from './format-line.js';

/** Milliseconds until the same line may be logged again. */
const PERIOD_MS = 600_000;

/** The maximum number of lines in that time, because any client can cause new ones. */
const MOST_LINES = 20;

/**
 * Shows operators why requests from misconfigured clients are refused: each cause once in ten minutes, and a limited
 * number of causes.
 */
export class RefusalLog {
  readonly #reported = new Set<string>();
  #begunAt = -Infinity;

  constructor(private readonly logger: Logger) {}

  /**
   * Logs a line about a request, unless its cause was logged recently or there were too many lines. The line must
   * quote and shorten values from the client.
   *
   * @param cause distinguishes it from others @default the line
   */
  warn(line: string, subject: LogSubject, cause = line): void {
    const now = performance.now();
    if (now - this.#begunAt >= PERIOD_MS) {
      this.#reported.clear();
      this.#begunAt = now;
    }
    if (this.#reported.has(cause) || this.#reported.size >= MOST_LINES) return;
    this.#reported.add(cause);
    this.logger.warn(formatLine(line, subject));
  }
}

const logger = new Logger('McpAuth');

const LONGEST = 200;

/** Logs, at level `debug`, that a request was refused because its token lacks scopes. */
export function logShortage(refusal: AuthError, subject: LogSubject): void {
  const shortage = findInsufficientScope(refusal);
  // A caller without a token lacks every scope.
  if (shortage === undefined || refusal.code === 401) return;
  const { needed, held } = shortage;
  const line = `A request was rejected: its token has ${format(held)}, expected ${format(needed)}`;
  logger.debug(formatLine(line, subject));
}

function format(scopes: readonly string[]): string {
  return scopes.length === 0
    ? 'no scopes'
    : `the scopes ${JSON.stringify(scopes.join(' ').slice(0, LONGEST))}`;
}
