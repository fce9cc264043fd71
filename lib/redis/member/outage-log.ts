import { escapeText } from '../../core/log/escape-text.js';
import type { Logger } from '../../core/logger/logger.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import type { RedisError } from '../commands/redis.error.js';

/** Milliseconds after which an outage is logged even within a minute of another, because the last log line was about the recovery. */
const LONG_MS = 10_000;

/** Logs Redis outages, short ones at most once a minute, and the end of each logged outage. */
export class OutageLog {
  #hasBegun = false;
  #isDown = false;
  /** When the outage started; absent while there is none. */
  #since: number | undefined;
  /** The logged reason. */
  #reason: string | undefined;

  constructor(
    private readonly log: ThrottledLog,
    private readonly prefix: string,
    private readonly server: string,
  ) {}

  /** Records that Redis is available. */
  succeed(): void {
    const { log, prefix, server } = this;
    if (!log.isStarted) return;
    if (!this.#hasBegun) {
      log.log(
        `Redis is available: all processes with the prefix "${prefix}" act as one server at "${server}"`,
      );
    } else if (this.#isDown) log.log('Redis is available again');
    this.#hasBegun = true;
    this.#isDown = false;
    this.#since = undefined;
  }

  /** Records that Redis is unavailable. */
  fail({ message, reason }: RedisError): void {
    const text = escapeText(`Redis is unavailable, so this process runs standalone: ${message}`);
    const now = performance.now();
    this.#since ??= now;
    const isLong = !this.#isDown && now - this.#since >= LONG_MS;
    if (this.log.warn('down', text) || (isLong && this.log.warn('down for long', text))) {
      this.#isDown = true;
      this.#reason = reason;
    } else if (this.#isDown && reason !== undefined && reason !== this.#reason)
      this.#explain(message, reason);
  }

  /** Logs the reason later, when the client's reconnection attempts reveal it. */
  #explain(message: string, reason: string): void {
    const isLogged = this.log.warn('why', escapeText(`The Redis connection has not recovered: ${message}`));
    if (isLogged) this.#reason = reason;
  }
}

/** Limits warnings to one a minute, and logs nothing before the application has started. */
export class ThrottledLog {
  isStarted = false;
  readonly #due = new OncePerMinute();

  constructor(private readonly logger: Pick<Logger, 'warn' | 'log'>) {}

  /** Warns about a condition at most once a minute. Returns whether it has warned. */
  warn(condition: string, text: string): boolean {
    const isDue = this.isStarted && this.#due.isDue(condition);
    if (isDue) this.logger.warn(text);
    return isDue;
  }

  log(text: string): void {
    if (this.isStarted) this.logger.log(text);
  }
}
