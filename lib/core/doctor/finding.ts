/** `warning` affects some clients, `error` breaks a client or violates the specification, `skipped` was not examined. */
export type FindingStatus = 'ok' | 'warning' | 'error' | 'skipped';

/** The result of a check. */
export interface Outcome {
  readonly status: FindingStatus;
  /** What the check found, in one line. */
  readonly found: string;
  /** How to fix it; empty if there is nothing to fix. */
  readonly fix: string;
  /** Why no further checks make sense: the server is unavailable, or does not respond to a client. */
  readonly ends?: 'unreachable' | 'unanswered';
}

/** The result of a check, with the ID of the check. */
export interface Finding {
  readonly id: string;
  readonly status: FindingStatus;
  readonly found: string;
  readonly fix: string;
}

/** Builds the result of a check that passes. */
export function ok(found: string, fix = ''): Outcome {
  return { status: 'ok', found, fix };
}

/** Builds the result of a check that finds a problem for some clients. */
export function warning(found: string, fix: string): Outcome {
  return { status: 'warning', found, fix };
}

/** Builds the result of a check that fails. */
export function failure(found: string, fix: string): Outcome {
  return { status: 'error', found, fix };
}

/** Builds the result of a check that was skipped, with what it requires. */
export function skipped(found: string, fix: string): Outcome {
  return { status: 'skipped', found, fix };
}

/** Makes a result end the examination. */
export function end(outcome: Outcome, ends: 'unreachable' | 'unanswered' = 'unanswered'): Outcome {
  return { ...outcome, ends };
}
