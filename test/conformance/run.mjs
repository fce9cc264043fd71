import { startFixture } from './fixture.mjs';
import { installSuite, runRequirements, runScenario } from './suite/run-suite.mjs';

const REVISIONS = ['2025-11-25', '2026-07-28'];
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

await installSuite();
const fixture = await startFixture();
const results = await runAll(fixture.url).finally(fixture.stop);
printSummary(results);
process.exitCode = results.every(({ accepted }) => accepted) ? 0 : 1;
