import { readFileSync } from 'node:fs';

import type { BenchOutput, RowOutput, WorkloadOutput } from '../bench-output.js';

/**
 * Reads what `npm run --silent bench -- --json` wrote.
 *
 * @throws Error if the file is something else
 */
export function readRun(file: string): BenchOutput {
  const run = parse(readFileSync(file, 'utf8'));
  const isRun =
    typeof run?.machine === 'string' && Array.isArray(run.workloads) && Array.isArray(run.verdicts);
  if (!isRun) throw new Error(`"${file}" is no run of the bench, give what "--json" has written`);
  return run as BenchOutput;
}

/** Finds a workload in the runs that have it. */
export function findWorkloads(runs: BenchOutput[], name: string): WorkloadOutput[] {
  return runs.flatMap(({ workloads }) => workloads.filter(({ workload }) => workload === name));
}

/** Finds a row in those of the workloads that have it. */
export function findRows(workloads: WorkloadOutput[], rowId: string): RowOutput[] {
  return workloads.flatMap(({ rows }) => rows.filter(({ id }) => id === rowId));
}

/** Lists the names of what was measured, in the order of the first run that has each. */
export function listWorkloads(runs: BenchOutput[]): string[] {
  return [...new Set(runs.flatMap(({ workloads }) => workloads.map(({ workload }) => workload)))];
}

function parse(text: string): Partial<BenchOutput> | null {
  try {
    return JSON.parse(text) as Partial<BenchOutput> | null;
  } catch {
    return null;
  }
}
