import { cpus } from 'node:os';

import type { BenchOutput } from './bench-output.js';
import { formatChance, formatVerdict, judge } from './judge.js';
import { measureWorkload, type WorkloadResult } from './measure.js';
import { parseOptions } from './options.js';
import { Processors } from './processors.js';
import { readRun } from './plots/saved-run.js';
import { hasRedis, stopRedis } from './shared-redis.js';
import { writeReport } from './plots/write-report.js';
import { formatTable, toPlain } from './report.js';

const { plan, workloads, json, quick, strict, profileDirectory, report, savedRuns } = parseOptions(
  process.argv.slice(2),
);
const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
if (savedRuns.length > 0) {
  await announceReport(savedRuns.map(readRun));
  process.exit();
}
const print = json ? () => undefined : (text: string) => process.stdout.write(`${text}\n\n`);

print(`${machine}; ${plan.load.rounds} rounds, ${plan.load.connections} connections`);
const processors = new Processors();
if (!processors.canDivide)
  print('Load and servers share processors as the system has it: ratios are less exact.');
const results: WorkloadResult[] = [];
for (const workload of workloads) {
  if (workload.needsRedis && !hasRedis()) {
    print(
      `## ${workload.title}\n\nLeft out: there is no "redis-server"; install it, or say by REDIS_SERVER where it is.`,
    );
    continue;
  }
  const begun = performance.now();
  const result = await measureWorkload(workload, {
    plan,
    processors,
    profileDirectory,
    onProgress: showProgress,
  });
  results.push(result);
  showProgress('');
  print(`${formatTable(result)}\n(${((performance.now() - begun) / 1000).toFixed(0)} s)`);
}
await stopRedis();
const verdicts = judge(results);
if (quick) print('A quick run measures code that is not compiled yet; its ratios say little.');
const lines = [...verdicts.map(formatVerdict), ...results.flatMap(formatChance)];
if (lines.length > 0) print(`## Acceptance\n\n${lines.join('\n')}`);
const output: BenchOutput = { machine, quick, plan, workloads: toPlain(results), verdicts };
if (json) process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
if (report) await announceReport([output]);
if (strict && verdicts.some(({ passed }) => !passed)) process.exitCode = 1;

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

/** npm starts programs at the root of the project. */
async function announceReport(runs: BenchOutput[]): Promise<void> {
  const files = await writeReport(runs, process.cwd());
  process.stderr.write(`Written: ${files.join(', ')}\n`);
}
