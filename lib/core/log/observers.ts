import { isPromiseLike } from '../waiting/is-promise-like.js';
import { OnceAMinute } from '../waiting/once-a-minute.js';
import { logError, type ErrorLogger } from './log-fault.js';

/**
 * Runs application code that only observes, such as span processors and metric instruments. If it fails, the observed
 * operation continues, and the failure is logged once a minute for each kind of observer.
 */
export class Observers {
  readonly #reports = new OnceAMinute();

  constructor(private readonly logger: ErrorLogger) {}

  /**
   * Runs an observer.
   *
   * @param observer the kind of observer in the log; there must be few
   * @returns its result, or `undefined` if it throws
   */
  run<Result>(observer: string, watch: () => Result): Result | undefined {
    try {
      const result = watch();
      if (isPromiseLike(result)) this.#follow(observer, result);
      return result;
    } catch (error) {
      this.report(observer, error);
      return undefined;
    }
  }

  /** Logs that an observer failed. */
  report(observer: string, failure: unknown): void {
    if (!this.#reports.isDue(observer)) return;
    try {
      logError(this.logger, failure, `${observer} failed, and what it observes goes on`);
    } catch {
      // The application's logger is an observer too, and there is no other place to report its failure.
    }
  }

  #follow(observer: string, result: PromiseLike<unknown>): void {
    Promise.resolve(result).catch((error: unknown) => this.report(observer, error));
  }
}
