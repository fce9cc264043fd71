import { type FanOutPlan, measureFanOut } from './fan-out.js';
import { type LoadPlan, measureLoad } from './load.js';
import { ServerProcess } from './server-process.js';
import { type Sample } from './statistics.js';
import { type Row, type Workload } from './workloads.js';

export interface Plan {
  rounds: number;
  load: LoadPlan;
  fanOut: FanOutPlan;
  /** Duration of the warm-up before the first round, in milliseconds. */
  firstWarmUpMs: number;
}

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

/**
 * Measures all rows of a workload in one run. The servers live side by side and are loaded in turn, one short slice each
 * per round and every second round backwards, so that whatever else the machine does falls on all of them alike.
 */
export async function measureWorkload(
  workload: Workload,
  plan: Plan,
  onProgress: (text: string) => void,
): Promise<WorkloadResult> {
  const rows: RowResult[] = workload.rows.map((row) => ({ row, samples: [] }));
  const running = new Map<RowResult, ServerProcess>();
  try {
    for (const result of rows.filter(({ row }) => row.measured)) {
      onProgress(`${workload.name}: warming up ${result.row.label}`);
      await guard(result, async () => {
        const server = await start(workload, result.row);
        running.set(result, server);
        await measureSlice(server, { workload, row: result.row, plan: toWarmUp(plan) });
      });
    }
    for (let round = 0; round < plan.rounds; round += 1) {
      const inTurn = round % 2 === 0 ? [...running] : [...running].toReversed();
      for (const [result, server] of inTurn) {
        if (result.failure !== undefined) continue;
        onProgress(`${workload.name}: round ${round + 1} of ${plan.rounds}, ${result.row.label}`);
        await guard(result, async () => {
          result.samples.push(await measureSlice(server, { workload, row: result.row, plan }));
        });
      }
    }
  } finally {
    await Promise.all([...running.values()].map((server) => server.stop()));
  }
  return { workload, rows };
}

function start({ wire, message }: Workload, { subject, tools }: Row): Promise<ServerProcess> {
  const { program, variant } = subject;
  return ServerProcess.start(program, {
    wire,
    tools,
    announces: message === undefined,
    ...(variant === undefined ? {} : { variant }),
  });
}

function measureSlice(
  server: ServerProcess,
  { workload, row, plan }: { workload: Workload; row: Row; plan: Plan },
): Promise<Sample> {
  if (!workload.message) return measureFanOut(server, plan.fanOut);
  return measureLoad(server, { workload, row, plan: plan.load });
}

function toWarmUp(plan: Plan): Plan {
  return { ...plan, load: { ...plan.load, warmUpMs: plan.firstWarmUpMs, sliceMs: 0 } };
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
