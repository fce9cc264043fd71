import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { ListedCatalogue } from '../../lib/core/lint/listed-catalogue.interface.js';
import type { Terminal } from '../command.interface.js';
import { LimitWaiting } from '../server/limit-waiting.js';
import { selectPatience } from '../server/select-patience.js';
import type { CalledServer } from '../server/called-server.js';
import { createTokenSource } from '../server/token-source.js';
import { withClient } from '../server/with-client.js';
import { collectCatalogue } from './collect-catalogue.js';

/** Takes what a server lists without a check, since the linter is to judge it. */
const AS_IT_IS: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'nestjs-mcp', validate: (value) => ({ value }) },
};

/** Connects to a running server, and collects what it lists. */
export async function readRunningCatalogue(
  server: CalledServer,
  terminal: Terminal,
): Promise<ListedCatalogue> {
  const tokenSource = createTokenSource(server, terminal);
  const patienceMs = selectPatience(server, terminal.status !== undefined);
  const waiting = new LimitWaiting(server.limitWaitMs, terminal);
  const options = { timeout: patienceMs };
  return withClient({ server, terminal, tokenSource, patienceMs, waiting }, async ({ client }) => {
    const capabilities = client.getServerCapabilities() ?? {};
    const words = { capabilities, instructions: client.getInstructions() };
    return collectCatalogue(words, (method, params) => client.request({ method, params }, AS_IT_IS, options));
  });
}
