import { takeTurn } from './client/take-turn.js';

/**
 * The client that the published suite tests: it is told by the environment what to do, and by its last argument with which
 * server.
 */
const {
  MCP_CONFORMANCE_SCENARIO: name = '',
  MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
  MCP_CONFORMANCE_CONTEXT: context = '{}',
  TURNSTILE,
} = process.env;

await takeTurn(TURNSTILE);
// What takes time begins when it is this client's turn.
const { findScenario } = await import('./client/scenarios.js');
const serverUrl = new URL(process.argv.at(-1) ?? '');

try {
  await findScenario(name)({ name, serverUrl, context: JSON.parse(context), revision });
} catch (error) {
  // Some scenarios want to see it give up.
  console.error(error);
  process.exitCode = 1;
}
