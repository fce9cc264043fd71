/** Drives many sessions over several processes and a real Redis, kills some of the processes, and says what that cost and whether anything got lost. */
import { hasRedis } from '../../../bench/shared-redis.js';
import { parseClusterPlan } from './options.js';
import { formatOutcome, judgeOutcome } from './report.js';
import { Simulation } from './simulation.js';

const plan = parseClusterPlan(process.argv.slice(2));
const begun = performance.now();
if (!hasRedis())
  throw new Error('There is no "redis-server": install it, or say by REDIS_SERVER where it is');
const outcome = await Simulation.run(plan, (text) => print(`${formatSeconds().padStart(6)} s  ${text}`));
print(`\n${formatOutcome(outcome, plan).join('\n')}\n`);
const criteria = judgeOutcome(outcome);
for (const { holds, text } of criteria) print(`${holds ? 'PASS' : 'FAIL'}  ${text}`);
print(`(${formatSeconds()} s)`);
process.exitCode = criteria.every(({ holds }) => holds) ? 0 : 1;

function formatSeconds(): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
