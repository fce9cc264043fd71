import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findNode } from './install.mjs';

const FOLDER = import.meta.dirname;
const RESULTS = join(FOLDER, '../results');
const SUITE = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite starts a client for each scenario of a revision, all at once. */
const CLIENT_WITHIN_MS = '120000';
const EXPECTED_FAILURES = 'expected-failures.yml';

/**
 * Runs a program and gives its exit code with all it printed.
 *
 * @param hear does what a line of standard output asks for; where it fails, the program is ended
 */
function run(command, args, hear) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: FOLDER });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    const obey = async (line) => {
      await hear?.(line)?.catch((error) => {
        output.push(Buffer.from(`${error.stack}\n`));
        child.kill();
      });
    };
    createInterface({ input: child.stdout }).on('line', (line) => void obey(line));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(output).toString() }));
  });
}

/** Reads the checks a run has written, each scenario in a folder of its own. A scenario that broke off has written none. */
function readChecks(results) {
  return readdirSync(results, { recursive: true })
    .filter((file) => basename(file) === 'checks.json')
    .flatMap((file) => JSON.parse(readFileSync(join(results, file), 'utf8')));
}

/** What the suite tests: a server by its URL, or a client by the command that starts it. */
export const testServer = (url) => ['server', '--url', url];
export const testClient = (command) => ['client', '--command', command, '--timeout', CLIENT_WITHIN_MS];

/** Runs the suite, on the Node that it needs. */
async function runSuite(name, tested, args, hear) {
  const results = join(RESULTS, name.replaceAll('/', '-'));
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const { code, output } = await run(findNode(), [SUITE, ...tested, '--output-dir', results, ...args], hear);
  const checks = readChecks(results);
  const count = (status) => checks.filter((check) => check.status === status).length;
  return {
    name,
    code,
    output,
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warnings: count('WARNING'),
    skipped: count('SKIPPED'),
  };
}

/** Runs what a revision requires. The suite itself compares the failures with those expected. */
export async function runRequirements(tested, revision, expectedFailures = EXPECTED_FAILURES) {
  const expected = join(FOLDER, '..', expectedFailures);
  const args = ['--requirements', revision, '--expected-failures', expected];
  const result = await runSuite(`requirements ${revision}`, tested, args);
  return { ...result, accepted: result.code === 0 && result.passed > 0 };
}

/** Runs one scenario that no revision scores. Nothing is expected to fail, and a warning counts as a failure. */
export async function runScenario(tested, scenario, revision) {
  return runUnscored(tested, `${scenario} ${revision}`, ['--scenario', scenario, '--spec-version', revision]);
}

/** The suite itself leaves these out until it has been rewritten for `subscriptions/listen`. */
const SKIPPED_BY_THE_SUITE = ['tasks-status-notifications'];

/** Runs one scenario of an extension, which the suite applies to no revision unless it is made to. */
export async function runExtensionScenario(tested, scenario, revision) {
  const args = ['--scenario', scenario, '--spec-version', revision, '--force'];
  const mayBeSkipped = SKIPPED_BY_THE_SUITE.includes(scenario);
  return runUnscored(tested, `${scenario} ${revision}`, args, mayBeSkipped);
}

/**
 * Runs the scenarios for authorization servers, none of which a revision scores. Nothing is expected to fail, to be skipped or to
 * warn.
 *
 * @param visit opens the address of the login, and logs a person in
 */
export async function runAuthorization({ issuer, resource, clientId, port }, revision, visit) {
  const tested = [
    'authorization',
    '--url',
    issuer,
    '--client-id',
    clientId,
    '--resource',
    resource,
    '--port',
    port,
  ];
  const hear = (line) => (line.startsWith(`${issuer}/`) ? visit(line) : undefined);
  const result = await runSuite(`authorization ${revision}`, tested, ['--spec-version', revision], hear);
  const isClean = result.failed === 0 && result.warnings === 0 && result.skipped === 0;
  return { ...result, accepted: result.code === 0 && result.passed > 0 && isClean };
}

async function runUnscored(tested, name, args, mayBeSkipped = false) {
  const result = await runSuite(name, tested, args);
  const clean = result.failed === 0 && result.warnings === 0;
  const hasRun = result.passed > 0 || (mayBeSkipped && result.skipped > 0);
  return { ...result, accepted: result.code === 0 && hasRun && clean };
}
