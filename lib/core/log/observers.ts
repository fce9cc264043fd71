import { type ErrorLogger, logError } from './describe-failure.js';
import { redactWithin } from './escape-text.js';
import { isPromiseLike } from '../async/promises.js';
import { OncePerMinute } from '../async/rate-limits.js';

/**
 * Runs application code that only observes, such as span processors and metric instruments. If it fails, the observed
 * operation continues, and the failure is logged once a minute per kind of observer.
 */
export class Observers {
  readonly #reports = new OncePerMinute();

  constructor(private readonly logger: ErrorLogger) {}

  /**
   * Runs an observer.
   *
   * @param observer the kind of observer, for the log; there must be only a few kinds
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
      logError(this.logger, failure, `${observer} failed, but the observed operation continues`);
    } catch {
      // The application's logger is an observer too, and its failure cannot be reported anywhere else.
    }
  }

  #follow(observer: string, result: PromiseLike<unknown>): void {
    Promise.resolve(result).catch((error: unknown) => this.report(observer, error));
  }
}

/** An application function that returns what to record instead of a value. */
export type Redact<Subject> = (value: unknown, subject: Subject) => unknown;

/** What a redactor needs to know about a value. */
export interface RedactedSubject {
  readonly kind: string;
  readonly method: string;
}

/** Matches a target that is a URI. Tool and prompt names do not contain a colon. */
const URI = /^[a-z][a-z\d+.-]*:/i;

/** Runs the application's redactor. If it fails, nothing is recorded, and the failure is logged. */
export class Redaction<Subject extends RedactedSubject> {
  /** @param option the option that names the redactor */
  constructor(
    private readonly redact: Redact<Subject>,
    private readonly observers: Observers,
    private readonly option: string,
  ) {}

  /** Returns what to record of a value. The value itself is not changed. */
  show(value: unknown, subject: Subject): unknown {
    const shown = this.observers.run(`"${this.option}"`, () =>
      // A redactor may change its argument, which the call still needs.
      this.redact(redactWithin(structuredClone(value)), subject),
    );
    // Recording does not wait for a promise.
    return isPromise(shown) ? undefined : shown;
  }

  /**
   * Returns what to record of a target that is already free of credentials. Only URIs are redacted, because names
   * belong to the server.
   */
  showTarget(target: string, subject: Subject): string | undefined {
    if (!URI.test(target)) return target;
    const shown = this.show(target, subject);
    if (shown === undefined) return undefined;
    return typeof shown === 'string' ? shown : target;
  }
}

/** A redactor's result may throw when it is read. */
function isPromise(value: unknown): boolean {
  try {
    return isPromiseLike(value);
  } catch {
    return true;
  }
}
