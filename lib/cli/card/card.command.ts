import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { readModuleReport } from '../module/module-report.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely, type Failure } from '../run-safely.js';
import { parseEndpoint } from '../server/parse-endpoint.js';
import { parseTimeout, type TimeoutBounds } from '../server/parse-timeout.js';
import { selectServer } from '../server-json/select-server.js';
import { UsageError } from '../usage.error.js';
import { formatVisibleJson } from '../visible-text.js';
import { CardMissingError } from './card-missing.error.js';
import { fetchCard } from './fetch-card.js';

const USAGE = `Usage: nestjs-mcp card <url or file> [options]

Prints the server card, by which clients find a server. It is the public card of a running server, or the one that the
application of a file such as dist/app.module.js would serve.

  --server <key>           the server, if the application of a file has several
  --timeout <ms>           how long the answer of a running server may take (10000)

Exit codes: 0 printed; 1 the server has no card; 2 wrong usage, or the application cannot be created; 4 the server cannot be reached`;

const OPTIONS = { server: { type: 'string' }, timeout: { type: 'string' } } as const;

const TIMEOUT: TimeoutBounds = { usualMs: 10_000, longestMs: 120_000 };

/** Prints the card of a server: `nestjs-mcp card <url or file>`. */
export const cardCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE, explain: explainMissing }, () => runCard(args, terminal)),
};

async function runCard(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [target, ...others] = positionals;
  if (target === undefined || others.length > 0) {
    throw new UsageError(
      'One URL or one file was expected: the URL of the endpoint, or the file of the application',
    );
  }
  const card = /^[a-z]+:\/\//i.test(target)
    ? await fetchCard(parseEndpoint(target), parseTimeout(values.timeout, TIMEOUT))
    : await makeCard(target, values.server);
  terminal.print(formatVisibleJson(card));
  return ExitCode.success;
}

async function makeCard(file: string, key: string | undefined): Promise<object> {
  const { servers } = await readModuleReport(file);
  return selectServer(servers, key).card;
}

function explainMissing(error: unknown): Failure | undefined {
  return error instanceof CardMissingError
    ? { exitCode: error.isReached ? ExitCode.failure : ExitCode.connection, message: error.message }
    : undefined;
}
