import type { FindingStatus } from '../../core/doctor/finding.js';

/** The finding of one check of a server's settings. */
export interface ProductionFinding {
  /** The name of the check, which does not change. */
  readonly id: string;
  /** A `warning` needs your decision. An `error` must not go to production. */
  readonly status: FindingStatus;
  /** What was found, in one line. */
  readonly found: string;
  /** What to do; empty if nothing is to do. */
  readonly fix: string;
}
