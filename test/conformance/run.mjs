import { parseArgs } from 'node:util';
import { runAuthorizationServer } from './authorization-server.mjs';
import { runClient } from './client.mjs';
import { startCluster } from './cluster.mjs';
import { startFixture } from './fixture.mjs';
import { installSuite } from './suite/install.mjs';
import { runExtensionScenario, runRequirements, runScenario, testServer } from './suite/run-suite.mjs';
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

/** Scenarios of the tasks extension, which no revision scores. */
const TASKS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];
const TASKS_REVISION = '2026-07-28';

/** Scenarios of the skills extension, which no revision scores. */
const SKILLS = ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest', 'sep-2640-skills-directory'];

/** Unscored scenarios that are about sessions. */
const NEED_SESSIONS = ['server-session-lifecycle', 'server-sse-polling'];

/** What a server without sessions cannot do is listed in a file of its own; revisions without sessions miss nothing. */
async function runStateless(url) {
  const results = [];
  for (const revision of REVISIONS) {
    const expected = revision === '2025-11-25' ? 'expected-failures.stateless.yml' : undefined;
    results.push(await runRequirements(testServer(url), revision, expected));
  }
  for (const [scenario, revision] of UNSCORED.filter(([name]) => !NEED_SESSIONS.includes(name))) {
    results.push(await runScenario(testServer(url), scenario, revision));
  }
  return results;
}

/** Extensions know nothing of adapters, tokens and sessions: they are tried on Express, of an open server with sessions. */
async function runAll(url, { isExtended = process.env.ADAPTER !== 'fastify' } = {}) {
  const results = [];
  const tested = testServer(url);
  for (const revision of REVISIONS) results.push(await runRequirements(tested, revision));
  for (const [scenario, revision] of UNSCORED) results.push(await runScenario(tested, scenario, revision));
  return isExtended ? [...results, ...(await runExtensions(url))] : results;
}

/** A gateway offers the tools, resources and prompts of the fixture, and no extensions. */
async function runGateway(url) {
  const results = [];
  for (const revision of REVISIONS) {
    results.push(await runRequirements(testServer(url), revision, 'expected-failures.gateway.yml'));
  }
  return results;
}

async function runExtensions(url) {
  const results = [];
  for (const scenario of TASKS) {
    results.push(await runExtensionScenario(testServer(url), scenario, TASKS_REVISION));
  }
  for (const revision of REVISIONS) {
    for (const scenario of SKILLS) {
      results.push(await runExtensionScenario(testServer(url), scenario, revision));
    }
  }
  return results;
}

function printSummary(results) {
  for (const { output } of results.filter(({ accepted }) => !accepted)) console.log(output);
  for (const { accepted, name, passed, failed, warnings, skipped } of results) {
    const left = skipped === 0 ? '' : `, ${skipped} skipped by the suite`;
    console.log(
      `${accepted ? 'ok  ' : 'FAIL'} ${name}: ${passed} checks passed, ${failed} failed, ${warnings} warnings${left}`,
    );
  }
}

/** The suite knows of no tokens, so a proxy adds them. */
async function runProtected({ url, token }, runOpen) {
  const proxy = await startTokenProxy(url, token);
  return runOpen(proxy.url, { isExtended: false }).finally(proxy.stop);
}

/** Runs the suite against several fixtures that are one server, by a balancer that sends each request to any of them. */
async function runCluster() {
  const cluster = await startCluster();
  return runAll(cluster.url).finally(() => cluster.stop());
}

/** Runs the suite against the fixture, which is as the command line says. */
async function runServer({ auth, isStateless, isCluster, isBehindGateway }) {
  if (isCluster) return runCluster();
  const fixture = await startFixture({ auth, isStateless, isBehindGateway });
  const runOpen = isBehindGateway ? runGateway : isStateless ? runStateless : runAll;
  const run = auth === undefined ? runOpen(fixture.url) : runProtected(fixture, runOpen);
  return run.finally(fixture.stop);
}

/** Runs the suite against what the command line names. */
async function runNamed() {
  if (isClient) return runClient();
  if (isAuthorization) return runAuthorizationServer();
  return runServer({ auth, isStateless, isCluster, isBehindGateway });
}

const { values } = parseArgs({
  options: {
    auth: { type: 'string' },
    stateless: { type: 'boolean' },
    cluster: { type: 'boolean' },
    client: { type: 'boolean' },
    authorization: { type: 'boolean' },
    gateway: { type: 'boolean' },
  },
});
const { auth, stateless: isStateless = process.env.STATELESS === '1' } = values;
const {
  cluster: isCluster = false,
  client: isClient = false,
  authorization: isAuthorization = false,
  gateway: isBehindGateway = false,
} = values;
if (auth !== undefined && !MODES.includes(auth)) throw new Error(`"--auth" takes ${MODES.join(' or ')}`);

installSuite();
const results = await runNamed();
printSummary(results);
process.exitCode = results.every(({ accepted }) => accepted) ? 0 : 1;
