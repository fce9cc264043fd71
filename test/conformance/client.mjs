import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runExtensionScenario, runRequirements, runScenario, testClient } from './suite/run-suite.mjs';
import { startTurnstile } from './turnstile.mjs';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, '.build/test/conformance/client.js');
const REVISIONS = ['2025-11-25', '2026-07-28'];
const EXTENSIONS = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/enterprise-managed-authorization',
  'auth/wif-jwt-bearer',
  'auth/dpop',
  'auth/dpop-nonce',
  'json-schema-2020-12-preservation',
  'sep-2640-client-no-prefetch',
  'sep-2640-client-verify-digest',
  'sep-2640-client-verify-size',
  'sep-2640-client-verify-frontmatter',
];
const BACKCOMPAT = ['auth/2025-03-26-oauth-metadata-backcompat', 'auth/2025-03-26-oauth-endpoint-fallback'];

/** Runs the suite against the client, on the wire of each revision: what it requires, and what it does not score. */
export async function runClient() {
  build();
  const turnstile = await startTurnstile(availableParallelism());
  process.env.TURNSTILE = String(turnstile.port);
  return runAll().finally(turnstile.stop);
}

async function runAll() {
  const tested = testClient(`${process.execPath} ${PROGRAM}`);
  const results = [];
  for (const revision of REVISIONS) {
    results.push(await runRequirements(tested, revision, 'expected-failures.client.yml'));
    for (const scenario of EXTENSIONS) {
      results.push(await runExtensionScenario(tested, scenario, revision));
    }
  }
  for (const scenario of BACKCOMPAT) results.push(await runScenario(tested, scenario, '2025-03-26'));
  return results;
}

function build() {
  const { status, stdout } = spawnSync('npm', ['run', '-s', 'build:programs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The client cannot be built\n${stdout}`);
}
