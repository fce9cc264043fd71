import { parseArgs } from 'node:util';
import { startFixture } from './fixture.mjs';
import { installSuite, runRequirements, runScenario } from './suite/run-suite.mjs';
import { startTokenProxy } from './token-proxy.mjs';

const REVISIONS = ['2025-11-25', '2026-07-28'];
/** How the fixture can be protected. */
const MODES = ['bearer', 'jwt'];
const UNSCORED = [
  ['server-session-lifecycle', '2025-11-25'],
  ['server-sse-polling', '2025-11-25'],
  ['json-schema-2020-12', '2025-11-25'],
  ['json-schema-2020-12', '2026-07-28'],
  ['http-header-validation', '2026-07-28'],
  ['http-custom-header-server-validation', '2026-07-28'],
];

async function runAll(url) {
  const results = [];
  for (const revision of REVISIONS) results.push(await runRequirements(url, revision));
  for (const [scenario, revision] of UNSCORED) results.push(await runScenario(url, scenario, revision));
  return results;
}

function printSummary(results) {
  for (const { output } of results.filter(({ accepted }) => !accepted)) console.log(output);
  for (const { accepted, name, passed, failed, warnings } of results) {
    console.log(
      `${accepted ? 'ok  ' : 'FAIL'} ${name}: ${passed} checks passed, ${failed} failed, ${warnings} warnings`,
    );
  }
}

/** The suite knows of no tokens, so a proxy adds them. */
async function runProtected({ url, token }) {
  const proxy = await startTokenProxy(url, token);
  return runAll(proxy.url).finally(proxy.stop);
}

const { values } = parseArgs({ options: { auth: { type: 'string' } } });
const { auth } = values;
if (auth !== undefined && !MODES.includes(auth)) throw new Error(`"--auth" takes ${MODES.join(' or ')}`);

await installSuite();
const fixture = await startFixture({ auth });
const run = auth === undefined ? runAll(fixture.url) : runProtected(fixture);
const results = await run.finally(fixture.stop);
printSummary(results);
process.exitCode = results.every(({ accepted }) => accepted) ? 0 : 1;
