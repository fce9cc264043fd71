/** Has one thing after the other go wrong with three processes and a real Redis, and says how long clients notice. */
import { parseArgs } from 'node:util';
import { hasRedis } from '../../../../bench/shared-redis.js';
import { OUTAGES } from './outages.js';
import type { Observed } from './scene.js';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
if (!hasRedis())
  throw new Error('There is no "redis-server": install it, or say by REDIS_SERVER where it is');
for (const { name, run } of OUTAGES.filter((outage) => outage.name.includes(values.only))) {
  const observed = await run();
  const text = typeof observed === 'number' ? formatMs(observed) : describe(observed);
  process.stdout.write(`${name}: ${text}\n`);
}

function describe({ knownCall, strangeCall, repeated, failed, silence, healed }: Observed): string {
  return [
    `longest call ${formatMs(knownCall)}, ${formatMs(strangeCall)} in sessions to be taken up`,
    `${repeated} calls made again, ${failed} failed`,
    `longest silence ${silence.map(formatMs).join(', ')} by process`,
    `healed ${formatMs(healed)} after the repair`,
  ].join('; ');
}

function formatMs(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}
