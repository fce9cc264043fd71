import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { flagOption, formatHelp, type Help } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely } from '../run-safely.js';
import { explainFailure } from '../server/explain-failure.js';
import { LimitWaiting } from '../server/limit-waiting.js';
import { listTools, withClient } from '../server/with-client.js';
import {
  parseOnlyServer,
  selectRequestTimeout,
  splitCommand,
  STARTED_OPTIONS,
} from '../server/called-server.js';
import { CONNECTION_EXIT_CODES, SERVER_OPTIONS } from '../server/server-options.js';
import { createTokenSource } from '../server/token-source.js';
import { formatVisibleJson } from '../visible-text.js';
import { formatTools } from './format-tools.js';

const OWN_OPTIONS = {
  json: { ...flagOption('Print the tools as JSON'), default: false },
};

const OPTIONS = { ...SERVER_OPTIONS, ...STARTED_OPTIONS, ...OWN_OPTIONS } as const;

const HELP: Help = {
  usage: ['tools <url> [options]', 'tools [options] -- <command> [argument ...]'],
  description: "List a server's tools and their arguments.",
  options: OWN_OPTIONS,
  acceptsConnection: true,
  exitCodes: CONNECTION_EXIT_CODES,
};

/** Lists a server's tools: `nestjs-mcp-cli tools <url>`. */
export const toolsCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainFailure }, () =>
      runTools(args, terminal),
    ),
};

async function runTools(args: readonly string[], terminal: Terminal): Promise<number> {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, OPTIONS);
  const server = parseOnlyServer({ positionals, command }, values, terminal.environment);
  const tokenSource = createTokenSource(server, terminal);
  const requestTimeoutMs = selectRequestTimeout(server, terminal.status !== undefined);
  const waiting = new LimitWaiting(server.limitWaitMs, terminal);
  const tools = await withClient({ server, terminal, tokenSource, requestTimeoutMs, waiting }, ({ client }) =>
    listTools(client, { timeout: requestTimeoutMs }),
  );
  if (values.json) terminal.print(formatVisibleJson(tools));
  else if (tools.length > 0) terminal.print(formatTools(tools));
  else terminal.complain('The server has no tools');
  return ExitCode.success;
}
