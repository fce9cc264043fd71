import type { Sample } from './statistics.js';

/** What one row of a table measures, slice by slice: a server under load, or a function of this process. */
export interface Contender {
  /** Runs until its code is compiled. */
  warmUp(): Promise<void>;
  measureSlice(): Promise<Sample>;
  stop(): Promise<void>;
}
