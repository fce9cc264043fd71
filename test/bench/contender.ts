import { type FanOutPlan } from './fan-out.js';
import { type LoadPlan } from './load.js';
import { type Sample } from './statistics.js';

export interface Plan {
  load: LoadPlan;
  fanOut: FanOutPlan;
  /** Duration of the warm-up before the first round, in milliseconds. */
  firstWarmUpMs: number;
}

/** What one row of a table measures, slice by slice: a server under load, or a function of this process. */
export interface Contender {
  /** Runs until its code is compiled. */
  warmUp(): Promise<void>;
  measureSlice(): Promise<Sample>;
  stop(): Promise<void>;
}
