import type { Plan } from './plan.js';
import type { Interval } from './statistics.js';

/** What `--json` prints. */
export interface BenchOutput {
  machine: string;
  /** Whether slices were too few and too short to say what anything costs. */
  quick: boolean;
  plan: Plan;
  workloads: WorkloadOutput[];
  verdicts: Verdict[];
}

/** What is measured, and by which part of the plan. */
export type Kind =
  'load' | 'fanOut' | 'wideFanOut' | 'fewStreams' | 'delivery' | 'latency' | 'pauses' | 'memory' | 'startUp';

/** What the rows of a workload cost. */
export interface Quantity {
  /** The head of the table's column, such as "CPU µs/request". */
  name: string;
  unit: 'µs' | 'ms' | 'bytes';
}

export interface WorkloadOutput {
  /** Such as "call-handshake". */
  workload: string;
  title: string;
  kind: Kind;
  quantity: Quantity;
  /** The id of the row whose cost is the unit of `ratio`, and the start of `difference`. */
  unit: string;
  /** How far two measurements of the same were apart. */
  chance?: Estimate;
  rows: RowOutput[];
}

/** One line of a table; a subject that cannot do the workload, or failed, has no figures. */
export interface RowOutput {
  id: string;
  /** What the line is called. */
  subject: string;
  failure?: string;
  /** The median of what is compared, in the unit of the workload's quantity. */
  cost?: number;
  /** The same of each slice, in the order they were measured. */
  costSlices?: number[];
  /** What the cost is where it is processor time. */
  cpuMicroseconds?: number;
  cpuSlices?: number[];
  perSecond?: number;
  p50Milliseconds?: number;
  p99Milliseconds?: number;
  p999Milliseconds?: number;
  /** The longest time in which the event loop of the server came to nothing else. */
  pauseMilliseconds?: number;
  /** Size of an answer's body, or of an event. */
  bytes?: number;
  /** Growth of the process's resident memory per session. */
  residentBytes?: number;
  /** The cost in units of that of the workload's row `unit`. */
  ratio?: Estimate;
  /** The cost less that of the workload's row `unit`. */
  difference?: Estimate;
}

/** A median of what pairs of slices came to, and what it lies between. */
export interface Estimate extends Interval {
  median: number;
}

/**
 * How a row is held against another: its cost as a multiple of the other's, the other's as a multiple of its own, or the
 * milliseconds or bytes between them. What is held against none is so by the milliseconds that half, or all but a hundredth, of what was timed took at most.
 */
export type Measure = 'ratio' | 'timesCheaper' | 'milliseconds' | 'bytes' | Quantile;

/** The figure of a row that is judged by itself. */
export type Quantile = 'p50Milliseconds' | 'p99Milliseconds' | 'pauseMilliseconds';

export interface Verdict {
  workload: string;
  text: string;
  /** The ids of the rows that were held against each other; of several the second came off best. There is none if the limit is of one row. */
  row: string;
  against?: string;
  measure: Measure;
  /** The limit of everything except `timesCheaper`. */
  atMost?: number;
  /** The limit of `timesCheaper`. */
  atLeast?: number;
  /** What was measured, in the limit's unit; absent where a row is missing, which passes nothing. */
  estimate?: Estimate;
  /** The row's cost as a multiple of the other's, whatever the limit is. */
  ratio?: Estimate;
  passed: boolean;
}
