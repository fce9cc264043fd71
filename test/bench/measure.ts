import type { Kind } from './bench-output.js';
import type { Contender } from './contender.js';
import type { Plan, Setup } from './plan.js';
import type { Processors } from './processors.js';
import type { Sample } from './statistics.js';
import type { Row, Workload } from './workload.js';

export interface RowResult {
  row: Row;
  /** One sample per round; empty if the subject cannot do it or failed. */
  samples: Sample[];
  failure?: string;
}

export interface WorkloadResult {
  workload: Workload;
  rows: RowResult[];
}

export interface MeasureOptions {
  plan: Plan;
  processors: Processors;
  /** Where our servers write what they spend their processor time on. */
  profileDirectory?: string | undefined;
  onProgress: (text: string) => void;
}

/** To start takes what processors there are, and memory is the same on any of them. */
const OF_PROCESSOR_TIME: ReadonlySet<Kind> = new Set([
  'load',
  'fanOut',
  'wideFanOut',
  'fewStreams',
  'latency',
  'pauses',
]);

/**
 * Measures all rows of a workload in one run. The contenders live side by side and have their turns, one short slice each
 * per round and each round from another on, so that whatever else the machine does falls on all of them alike.
 */
export async function measureWorkload(workload: Workload, options: MeasureOptions): Promise<WorkloadResult> {
  const rows: RowResult[] = workload.rows.map((row) => ({ row, samples: [] }));
  const { launches = 1 } = workload;
  const rounds = Math.ceil(options.plan[workload.kind].rounds / launches);
  if (OF_PROCESSOR_TIME.has(workload.kind)) options.processors.divide();
  try {
    for (let launch = 0; launch < launches; launch += 1) {
      await measureLaunch(rows, { workload, firstRound: launch * rounds, rounds }, options);
    }
  } finally {
    options.processors.unite();
  }
  return { workload, rows };
}

interface Launch {
  workload: Workload;
  firstRound: number;
  rounds: number;
}

/** Starts the contenders, and measures them for so many rounds. */
async function measureLaunch(
  rows: RowResult[],
  { workload, firstRound, rounds }: Launch,
  { plan, processors, profileDirectory, onProgress }: MeasureOptions,
): Promise<void> {
  const running = new Map<RowResult, Contender>();
  const buildSetup = (name: string): Setup => ({
    plan,
    processors,
    profile:
      profileDirectory === undefined
        ? undefined
        : { directory: profileDirectory, name: name.replaceAll('/', '-') },
  });
  try {
    for (const result of rows) {
      const { start, label, id } = result.row;
      if (!start || result.failure !== undefined) continue;
      onProgress(`${workload.name}: warming up ${label}`);
      await guard(result, async () => {
        const contender = await start(buildSetup(`${workload.name}-${id}`));
        running.set(result, contender);
        await contender.warmUp();
      });
    }
    for (let round = firstRound; round < firstRound + rounds; round += 1) {
      for (const [result, contender] of rotate([...running], round)) {
        if (result.failure !== undefined) continue;
        onProgress(`${workload.name}: round ${round + 1}, ${result.row.label}`);
        await guard(result, async () => {
          result.samples.push(await contender.measureSlice());
        });
      }
    }
  } finally {
    await Promise.all([...running.values()].map((contender) => contender.stop()));
  }
}

function rotate<Item>(items: Item[], by: number): Item[] {
  const first = by % Math.max(items.length, 1);
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Notes a subject's failure on its row and lets the others go on. */
async function guard(result: RowResult, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    result.failure = error instanceof Error ? error.message : String(error);
    result.samples = [];
  }
}
