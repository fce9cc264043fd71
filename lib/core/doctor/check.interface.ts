import type { Outcome } from './finding.js';
import type { Patient } from './patient.js';

/** One check: a question that is answered in one line. */
export interface Check {
  /** Its name, which does not change. */
  readonly id: string;
  /** Gives nothing if the question does not arise. */
  readonly run: (patient: Patient) => Promise<Outcome | undefined>;
}
