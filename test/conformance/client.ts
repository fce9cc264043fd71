import { findScenario } from './client/scenarios.js';

/**
 * The client that the published suite tests: it is told by the environment what to do, and by its last argument with which
 * server.
 */
const {
  MCP_CONFORMANCE_SCENARIO = '',
  MCP_CONFORMANCE_PROTOCOL_VERSION,
  MCP_CONFORMANCE_CONTEXT,
} = process.env;

const run = findScenario(MCP_CONFORMANCE_SCENARIO);
const serverUrl = new URL(process.argv.at(-1) ?? '');
const context = MCP_CONFORMANCE_CONTEXT === undefined ? {} : JSON.parse(MCP_CONFORMANCE_CONTEXT);

try {
  await run({
    name: MCP_CONFORMANCE_SCENARIO,
    serverUrl,
    context,
    revision: MCP_CONFORMANCE_PROTOCOL_VERSION,
  });
} catch (error) {
  // Some scenarios want to see it give up.
  console.error(error);
  process.exitCode = 1;
}
