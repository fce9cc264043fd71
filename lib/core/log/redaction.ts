import { isPromiseLike } from '../waiting/is-promise-like.js';
import type { Observers } from './observers.js';
import { redactWithin } from './redact-credentials.js';

/** A function of the application that returns what to record instead of a value. */
export type Redact<Subject> = (value: unknown, subject: Subject) => unknown;

/** What a redactor needs to know of a value. */
export interface RedactedSubject {
  readonly kind: string;
  readonly method: string;
}

/** Matches what is named by a URI. Names of tools and prompts have no colon. */
const URI = /^[a-z][a-z\d+.-]*:/i;

/** Applies the application's redactor. If that fails, nothing is recorded, and the log says so. */
export class Redaction<Subject extends RedactedSubject> {
  /** @param option the option that names the redactor */
  constructor(
    private readonly redact: Redact<Subject>,
    private readonly observers: Observers,
    private readonly option: string,
  ) {}

  /** Returns what is recorded of a value, which stays as it is. */
  show(value: unknown, subject: Subject): unknown {
    const shown = this.observers.run(`"${this.option}"`, () =>
      // A redactor may take away from what it is given, which the call still needs.
      this.redact(redactWithin(structuredClone(value)), subject),
    );
    // Records do not wait for a promise.
    return isPromise(shown) ? undefined : shown;
  }

  /** Returns what is recorded of a target, without credentials already. Names are the server's own: only URIs are redacted. */
  showTarget(target: string, subject: Subject): string | undefined {
    if (!URI.test(target)) return target;
    const shown = this.show(target, subject);
    if (shown === undefined) return undefined;
    return typeof shown === 'string' ? shown : target;
  }
}

/** A value of a redactor may throw when it is read. */
function isPromise(value: unknown): boolean {
  try {
    return isPromiseLike(value);
  } catch {
    return true;
  }
}
