import { cpus } from 'node:os';

import { formatChance, formatVerdict, judge } from './acceptance.js';
import { measureWorkload, type WorkloadResult } from './measure.js';
import { parseOptions } from './options.js';
import { formatTable, toPlain } from './report.js';

const { plan, workloads, json, quick } = parseOptions(process.argv.slice(2));
const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
const print = json ? () => undefined : (text: string) => process.stdout.write(`${text}\n\n`);

print(`${machine}; ${plan.load.rounds} rounds, ${plan.load.connections} connections`);
const results: WorkloadResult[] = [];
for (const workload of workloads) {
  const result = await measureWorkload(workload, plan, showProgress);
  results.push(result);
  showProgress('');
  print(formatTable(result));
}
const verdicts = judge(results);
if (quick) print('A quick run measures code that is not compiled yet; its ratios say little.');
const lines = [...verdicts.map(formatVerdict), ...results.flatMap(formatChance)];
if (lines.length > 0) print(`## Acceptance\n\n${lines.join('\n')}`);
if (json) {
  process.stdout.write(
    `${JSON.stringify({ machine, plan, workloads: toPlain(results), verdicts }, null, 2)}\n`,
  );
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}
