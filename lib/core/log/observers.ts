import { isPromiseLike } from '../waiting/is-promise-like.js';
import { OnceAMinute } from '../waiting/once-a-minute.js';
import { logFault, type FaultLogger } from './log-fault.js';

/**
 * Runs code of the application that only watches, such as span processors and metric instruments. The
 * watched operation goes on in any case, and the log says so once a minute for each kind of observer.
 */
export class Observers {
  readonly #reports = new OnceAMinute();

  constructor(private readonly logger: FaultLogger) {}

  /**
   * Runs an observer.
   *
   * @param observer names the kind of observer in the log; one of few
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
      logFault(this.logger, failure, `${observer} failed, and what it observes goes on`);
    } catch {
      // A logger of the application is an observer too, and nobody is left to tell.
    }
  }

  #follow(observer: string, result: PromiseLike<unknown>): void {
    Promise.resolve(result).catch((error: unknown) => this.report(observer, error));
  }
}
