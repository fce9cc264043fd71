import type { Outcome } from './finding.js';
import type { Target } from './target.js';

/** One check: a question that is answered in one line. */
export interface Check {
  /** Its name, which does not change. */
  readonly id: string;
  /** Gives nothing if the question does not arise. */
  readonly run: (target: Target) => Promise<Outcome | undefined>;
}
