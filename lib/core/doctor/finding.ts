/** How bad it is: `warning` is what some clients stumble over, `fault` what breaks a client or a rule, `skipped` what was not examined. */
export type FindingStatus = 'ok' | 'warning' | 'fault' | 'skipped';

/** What one check found. */
export interface Outcome {
  readonly status: FindingStatus;
  /** What was found, in one line. */
  readonly found: string;
  /** What to do; empty if there is nothing to do. */
  readonly remedy: string;
  /** Why there is nothing further to examine: the server cannot be reached at all, or not in the way of a client. */
  readonly ends?: 'unreachable' | 'unanswered';
}

/** What one check found, by the name of the check. */
export interface Finding {
  readonly id: string;
  readonly status: FindingStatus;
  readonly found: string;
  readonly remedy: string;
}

/** Says that all is well. */
export function ok(found: string, remedy = ''): Outcome {
  return { status: 'ok', found, remedy };
}

/** Says what some clients stumble over. */
export function warning(found: string, remedy: string): Outcome {
  return { status: 'warning', found, remedy };
}

/** Says what is broken. */
export function fault(found: string, remedy: string): Outcome {
  return { status: 'fault', found, remedy };
}

/** Says what was not examined, and what it takes. */
export function skipped(found: string, remedy: string): Outcome {
  return { status: 'skipped', found, remedy };
}

/** Gives the outcome after which the examination ends. */
export function end(outcome: Outcome, ends: 'unreachable' | 'unanswered' = 'unanswered'): Outcome {
  return { ...outcome, ends };
}
