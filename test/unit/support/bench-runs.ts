import type { BenchOutput, Estimate, RowOutput, Verdict, WorkloadOutput } from '../../bench/bench-output.js';

/** Builds an estimate that lies a tenth around its median. */
export function buildEstimate(median: number): Estimate {
  return { median, lower: median - 0.1, upper: median + 0.1 };
}

/** Builds a row with a ratio, or one without figures. */
export function buildRow(id: string, ratio?: number): RowOutput {
  const row = { id, subject: `<${id}>` };
  if (ratio === undefined) return row;
  return { ...row, cost: ratio * 2048, costSlices: [ratio * 2048], ratio: buildEstimate(ratio) };
}

/** Builds a workload whose first row is the unit. */
export function buildWorkload(workload: string, rows: RowOutput[]): WorkloadOutput {
  return {
    workload,
    title: `the title of ${workload}`,
    kind: workload.startsWith('memory') ? 'memory' : 'load',
    quantity: { name: 'CPU µs/request', unit: 'µs' },
    unit: rows[0]?.id ?? '',
    chance: buildEstimate(1.01),
    rows,
  };
}

/** Builds the verdict of a limit of 1.15. */
export function buildVerdict(ratio: number): Verdict {
  return {
    workload: 'call-handshake',
    text: 'a call is cheap',
    row: 'nestjs-mcp-express',
    against: 'bare-nest-express',
    measure: 'ratio',
    atMost: 1.15,
    estimate: buildEstimate(ratio),
    passed: ratio <= 1.15,
  };
}

/** Builds a run in which our server costs a multiple of the bare one. */
export function buildRun(ratio: number, workloads: WorkloadOutput[] = []): BenchOutput {
  const rows = [buildRow('bare-nest-express', 1), buildRow('nestjs-mcp-express', ratio), buildRow('sdk-v1')];
  return {
    machine: 'Node 20, 2 × a processor',
    quick: false,
    plan: { load: { rounds: 40 } } as BenchOutput['plan'],
    workloads: [buildWorkload('call-handshake', rows), ...workloads],
    verdicts: [buildVerdict(ratio)],
  };
}
