import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely } from '../run-safely.js';
import { explainFailure } from '../server/explain-failure.js';
import { LimitWaiting } from '../server/limit-waiting.js';
import { listTools } from '../server/list-tools.js';
import { selectPatience } from '../server/select-patience.js';
import { parseOnlyServer, splitCommand, STARTED_OPTIONS, STARTED_USAGE } from '../server/called-server.js';
import { EXIT_CODES, SERVER_OPTIONS, SERVER_USAGE } from '../server/server-options.js';
import { createTokenSource } from '../server/token-source.js';
import { withClient } from '../server/with-client.js';
import { formatVisibleJson } from '../visible-text.js';
import { formatTools } from './format-tools.js';

const USAGE = `Usage: nestjs-mcp-cli tools <url> [options]
       nestjs-mcp-cli tools [options] -- <command> [argument ...]

Lists the tools of a server and their arguments.

  --json                       print the tools as the server has them
${STARTED_USAGE}
${SERVER_USAGE}

${EXIT_CODES}`;

const OPTIONS = { ...SERVER_OPTIONS, ...STARTED_OPTIONS, json: { type: 'boolean', default: false } } as const;

/** Lists the tools of a server: `nestjs-mcp-cli tools <url>`. */
export const toolsCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE, explain: explainFailure }, () => runTools(args, terminal)),
};

async function runTools(args: readonly string[], terminal: Terminal): Promise<number> {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, OPTIONS);
  const server = parseOnlyServer({ positionals, command }, values, terminal.environment);
  const tokenSource = createTokenSource(server, terminal);
  const patienceMs = selectPatience(server, terminal.status !== undefined);
  const waiting = new LimitWaiting(server.limitWaitMs, terminal);
  const tools = await withClient({ server, terminal, tokenSource, patienceMs, waiting }, ({ client }) =>
    listTools(client, { timeout: patienceMs }),
  );
  if (values.json) terminal.print(formatVisibleJson(tools));
  else if (tools.length > 0) terminal.print(formatTools(tools));
  else terminal.complain('The server has no tools');
  return ExitCode.success;
}
