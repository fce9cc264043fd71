import type { Measure } from './bench-output.js';

/** What a row must come to, held against another row of the same workload, or by itself. */
export interface Limit {
  workload: string;
  text: string;
  row: string;
  /** The one of these that comes off best counts; all that can do the workload must have been measured. Empty if the row is judged by itself. */
  against: string[];
  measure: Measure;
  limit: number;
}
