import type { Outcome } from './finding.js';
import type { Target } from './target.js';

/** One check of a server, reported on one line. */
export interface Check {
  /** Its name, which does not change. */
  readonly id: string;
  /** Returns nothing if the check does not apply. */
  readonly run: (target: Target) => Promise<Outcome | undefined>;
}
