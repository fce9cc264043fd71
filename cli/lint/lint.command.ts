import { lintCatalogue } from '../../lib/core/lint/lint-catalogue.js';
import { LISTED_KINDS, type ListedCatalogue } from '../../lib/core/lint/listed-catalogue.interface.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { readModuleCatalogue } from '../module/module-catalogue.js';
import { runSafely } from '../run-safely.js';
import { explainFailure } from '../server/explain-failure.js';
import { STARTED_USAGE } from '../server/called-server.js';
import { SERVER_USAGE } from '../server/server-options.js';
import { formatVisibleJson } from '../visible-text.js';
import { formatLint } from './format-lint.js';
import { parseLintOptions, type LintTarget } from './lint-options.js';
import { readRunningCatalogue } from './read-running-catalogue.js';

const USAGE = `Usage: nestjs-mcp-cli lint <url or file> [options]
       nestjs-mcp-cli lint [options] -- <command> [argument ...]

Judges the lists of a server as models and hosts see them, and says what to do. The server is a running one, or the application
of a file such as dist/app.module.js, which is initialised and does not listen.

  --rule <id>=<severity>       make a rule an "error", a "warning" or "advice", or switch it "off"; may come several times
  --max-tokens <number>        the most tokens that the list of tools may take (10000)
  --json                       print { findings, sizes, tokens, isWhole }
  --server <key>               the server, if the application of a file has several
${STARTED_USAGE}
${SERVER_USAGE}

Exit codes: 0 no errors, warnings included; 1 errors, or the server says no; 2 wrong usage, or the application cannot be created; 3 no authorization; 4 no connection, or no answer`;

/** Judges what a server lists: `nestjs-mcp-cli lint <url or file>`. */
export const lintCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE, explain: explainFailure }, () => runLint(args, terminal)),
};

async function runLint(args: readonly string[], terminal: Terminal): Promise<number> {
  const { target, settings, json } = parseLintOptions(args, terminal.environment);
  const catalogue = await readCatalogue(target, terminal);
  const report = lintCatalogue(catalogue, settings);
  if (json) terminal.print(formatVisibleJson(report));
  else if (isEmpty(catalogue)) terminal.complain('The server lists nothing that could be judged');
  else terminal.print(formatLint(report));
  return report.findings.some(({ severity }) => severity === 'error') ? ExitCode.failure : ExitCode.success;
}

function readCatalogue(target: LintTarget, terminal: Terminal): Promise<ListedCatalogue> {
  return 'running' in target ? readRunningCatalogue(target.running, terminal) : readModuleCatalogue(target);
}

function isEmpty(catalogue: ListedCatalogue): boolean {
  return LISTED_KINDS.every((kind) => (catalogue[kind] ?? []).length === 0);
}
