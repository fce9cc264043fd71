import { isPromiseLike } from '../waiting/is-promise-like.js';
import type { Observers } from './observers.js';
import { redactWithin } from './redact-credentials.js';

/** An application function that returns what to record instead of a value. */
export type Redact<Subject> = (value: unknown, subject: Subject) => unknown;

/** What a redactor needs to know about a value. */
export interface RedactedSubject {
  readonly kind: string;
  readonly method: string;
}

/** Matches a target that is a URI. Names of tools and prompts have no colon. */
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
    // Records do not wait for a promise.
    return isPromise(shown) ? undefined : shown;
  }

  /** Returns what to record of a target that is already free of credentials. Only URIs are redacted: names belong to the server. */
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
