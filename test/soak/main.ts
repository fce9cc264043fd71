/** Soaks a server: lets clients of every kind come and go for a while, and looks at what is left of them. */
import { setTimeout as pause } from 'node:timers/promises';
import { parsePlan, SHARES, type Plan } from './options.js';
import { Population, tour } from './population.js';
import { ServerProcess } from './server-process.js';
import { Tally } from './tally.js';
import { Tokens } from './tokens.js';
import { type Findings, formatMegabytes, judge, type Sample } from './verdict.js';
import { Wire } from './wire.js';

/** Rows of the table, whatever the samples. */
const MOST_ROWS = 20;
const END_MS = 10_000;

const plan = parsePlan(process.argv.slice(2));
const tokens = await Tokens.start();
const { issuerUrl: issuer, audience } = tokens;
const server = await ServerProcess.start({ ...plan.bounds, issuer, audience });
try {
  const findings = await soak();
  printTable(findings.samples);
  const criteria = judge(findings);
  for (const { holds, text } of criteria) print(`${holds ? 'PASS' : 'FAIL'}  ${text}`);
  process.exitCode = criteria.every(({ holds }) => holds) ? 0 : 1;
} finally {
  server.kill();
  await tokens.stop();
}

async function soak(): Promise<Findings> {
  const tally = new Tally();
  const wire = new Wire(server.port);
  await tour(wire, tokens, { plan, tally });
  await untilIdle();
  const before = await server.readUsage();
  print(describePlan(plan));
  const population = new Population(wire, tokens, tally, plan);
  population.begin();
  const samples = await sampleLoad();
  await population.end();
  wire.close();
  print(`acts: ${[...tally.byAct].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  for (const example of tally.examples) print(`example: ${example}`);
  await pause(plan.bounds.taskTtlMs);
  await untilIdle();
  const drained = await server.readUsage();
  await tokens.stop();
  const remains = await server.closeApplication();
  const exitCode = await server.awaitEnd(END_MS);
  return { samples, before, drained, remains, exitCode, tally, flatPercent: plan.flatPercent };
}

/** Gives the samples of what follows the warm-up. */
async function sampleLoad(): Promise<Sample[]> {
  const begun = performance.now();
  const samples: Sample[] = [];
  await pause(plan.warmUpMs);
  for (;;) {
    const second = (performance.now() - begun) / 1000;
    if (second * 1000 > plan.loadMs) return samples;
    samples.push({ second, ...(await server.readUsage()) });
    await pause(plan.sampleMs);
  }
}

/** Waits until every session that nobody uses has ended. */
async function untilIdle(): Promise<void> {
  const deadline = performance.now() + 3 * plan.bounds.idleTimeoutMs;
  while ((await server.readUsage()).sessions > 0 && performance.now() < deadline) await pause(500);
}

function describePlan({ sessions, loadMs, warmUpMs, thinkMs, bounds }: Plan): string {
  const acts = (sessions * (1 + SHARES.stateless + SHARES.sse) * 1000) / thinkMs;
  return [
    `${sessions} sessions, ${(loadMs / 60_000).toFixed(1)} minutes, the first ${(warmUpMs / 1000).toFixed(0)} s of which warm it up`,
    `about ${acts.toFixed(0)} acts a second; idle sessions end after ${(bounds.idleTimeoutMs / 1000).toFixed(1)} s, all after ${(bounds.lifetimeMs / 1000).toFixed(1)} s`,
  ].join('\n');
}

function printTable(samples: readonly Sample[]): void {
  const step = Math.ceil(samples.length / MOST_ROWS);
  print('\n     s   sessions       heap        RSS   CPU s');
  for (const { second, sessions, heapBytes, rssBytes, cpuMs } of samples.filter(
    (_, row) => row % step === 0,
  )) {
    const cells = [
      second.toFixed(0).padStart(6),
      String(sessions).padStart(11),
      formatMegabytes(heapBytes).padStart(11),
      formatMegabytes(rssBytes).padStart(11),
      (cpuMs / 1000).toFixed(1).padStart(8),
    ];
    print(cells.join(''));
  }
  print('');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
