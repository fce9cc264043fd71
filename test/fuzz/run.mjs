/**
 * Runs the fuzz targets, all or those that are named, each for some seconds: `npm run fuzz -- cursor origin --seconds 600`.
 *
 * The fuzzer starts from the inputs in `corpus/<target>` and keeps what it finds of its own in `.build/fuzz/corpus`. An input that
 * breaks a contract is written to `corpus/<target>`, where the unit tests run it from then on.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages } from '../conformance/suite/install.mjs';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const BUILD = join(ROOT, '.build/fuzz');
const JAZZER = join(HERE, 'jazzer');
const TARGETS = readdirSync(join(HERE, 'targets')).map((file) => file.replace(/\.ts$/, ''));

/** Longer inputs find nothing more, and find it later. */
const LONGEST_INPUT = 4096;
const LONGEST_RUN_MS = 5000;
const MEMORY_MEGABYTES = 2048;

/** What starts Node, where that needs more than a name. */
const [NODE = process.execPath, ...NODE_ARGUMENTS] = (process.env.FUZZ_NODE ?? process.execPath).split(' ');

function assertFuzzerLoads() {
  const load = [...NODE_ARGUMENTS, '-e', 'require("@jazzer.js/fuzzer")'];
  const { status, stderr } = spawnSync(NODE, load, { cwd: JAZZER, encoding: 'utf8' });
  if (status === 0) return;
  const [, needed] = /version `GLIBC_([\d.]+)' not found/.exec(stderr) ?? [];
  if (needed === undefined) throw new Error(`The fuzzer cannot be loaded\n${stderr}`);
  const { glibcVersionRuntime: found } = process.report.getReport().header;
  throw new Error(
    `The fuzzer needs a C library (glibc) of ${needed}, and this machine has ${found}: ` +
      'run this where it is newer, or set FUZZ_NODE to a command that starts Node with a newer one',
  );
}

function selectTargets(named) {
  const unknown = named.find((target) => !TARGETS.includes(target));
  if (unknown !== undefined) throw new Error(`"${unknown}" is no target: there are ${TARGETS.join(', ')}`);
  return named.length === 0 ? TARGETS : named;
}

/** Lets the fuzzer have a target for so long, and gives what it did. */
async function fuzz(target, seconds) {
  const found = join(BUILD, 'corpus', target);
  const seeds = join(HERE, 'corpus', target);
  for (const folder of [found, seeds]) mkdirSync(folder, { recursive: true });
  const fuzzer = spawn(NODE, [
    ...NODE_ARGUMENTS,
    ...[
      join(JAZZER, 'node_modules/@jazzer.js/core/dist/cli.js'),
      join(BUILD, `test/fuzz/targets/${target}.js`),
    ],
    ...[found, seeds, '--includes', join(BUILD, 'lib/'), '--sync', '--timeout', String(LONGEST_RUN_MS), '--'],
    ...[`-max_total_time=${seconds}`, `-max_len=${LONGEST_INPUT}`, `-rss_limit_mb=${MEMORY_MEGABYTES}`],
    ...[`-artifact_prefix=${seeds}/`, `-dict=${join(HERE, 'tokens.dict')}`, '-print_final_stats=1'],
  ]);
  let log = '';
  for (const stream of [fuzzer.stdout, fuzzer.stderr])
    stream.setEncoding('utf8').on('data', (text) => (log += text));
  const [status] = await new Promise((resolve) => fuzzer.once('close', (...end) => resolve(end)));
  return { target, isGood: status === 0, log, ...readStatistics(log) };
}

function readStatistics(log) {
  const [edges = '0'] = [...log.matchAll(/\bcov: (\d+)/g)].map(([, count]) => count).slice(-1);
  const [, runs] = /number_of_executed_units: (\d+)/.exec(log) ?? /Done (\d+) runs/.exec(log) ?? [];
  const [last = '0'] = [...log.matchAll(/^#(\d+)\t/gm)].map(([, count]) => count).slice(-1);
  return { runs: Number(runs ?? last), edges: Number(edges) };
}

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '60' } },
  allowPositionals: true,
});
const targets = selectTargets(positionals);
const seconds = Number(values.seconds);
if (!Number.isSafeInteger(seconds) || seconds < 1)
  throw new Error('"--seconds" must be a whole number from 1');

installPackages(JAZZER);
assertFuzzerLoads();
execFileSync('npx', ['tsc', '-p', join(HERE, 'tsconfig.json')], { cwd: ROOT, stdio: 'inherit' });
for (const target of targets) {
  const { isGood, log, runs, edges } = await fuzz(target, seconds);
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${target}: ${runs} inputs, ${edges} edges reached`);
  if (isGood) continue;
  console.log(log.split('\n').slice(-60).join('\n'));
  process.exitCode = 1;
}
