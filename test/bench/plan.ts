import type { Processors } from './processors.js';
import type { FanOutPlan } from './fan-out.js';
import type { LatencyPlan } from './latency-contender.js';
import type { LoadPlan } from './load.js';
import type { MemoryPlan } from './memory.js';
import type { StartUpPlan } from './start-up.js';

export interface Plan {
  load: LoadPlan;
  fanOut: FanOutPlan;
  /** The same with more streams than most servers hold. */
  wideFanOut: FanOutPlan;
  /** The same with few of them, so that what else the server has would show. */
  fewStreams: FanOutPlan;
  delivery: FanOutPlan;
  latency: LatencyPlan;
  /** The same for long, to find pauses. */
  pauses: LatencyPlan;
  memory: MemoryPlan;
  startUp: StartUpPlan;
  /** Duration of the warm-up before the first round, in milliseconds. */
  firstWarmUpMs: number;
}

/** What a row needs to start. */
export interface Setup {
  plan: Plan;
  processors: Processors;
  /** Where our servers write what they spend their processor time on, and the beginning of the files' names. */
  profile?: { directory: string; name: string } | undefined;
}
