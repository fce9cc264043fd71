import type { FindingStatus } from '../../core/doctor/finding.js';

/** What one check of a server's settings found. */
export interface ProductionFinding {
  /** The name of the check, which does not change. */
  readonly id: string;
  /** `warning` is something to decide on purpose, and `fault` something that must not go to production. */
  readonly status: FindingStatus;
  /** What was found, in one line. */
  readonly found: string;
  /** What to do; empty if there is nothing to do. */
  readonly remedy: string;
}
