import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { formatResource } from '../call/format-result.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely } from '../run-safely.js';
import { withAskingClient } from '../server/asking-client.js';
import { explainFailure } from '../server/explain-failure.js';
import { parseServer, splitCommand, STARTED_OPTIONS, STARTED_USAGE } from '../server/called-server.js';
import { EXIT_CODES, SERVER_OPTIONS, SERVER_USAGE } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';
import { formatVisibleJson } from '../visible-text.js';
import { formatResources } from './format-resources.js';
import { listResources } from './list-resources.js';

const USAGE = `Usage: nestjs-mcp-cli resources <url> [uri] [options]
       nestjs-mcp-cli resources [uri] [options] -- <command> [argument ...]

Lists the resources of a server and their templates, or reads the resource of a URI.

  --json                       print the list, or the whole result, as JSON
${STARTED_USAGE}
${SERVER_USAGE}

${EXIT_CODES}`;

const OPTIONS = { ...SERVER_OPTIONS, ...STARTED_OPTIONS, json: { type: 'boolean', default: false } } as const;

/** Lists the resources of a server, or reads one: `nestjs-mcp-cli resources <url> [uri]`. */
export const resourcesCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE, explain: explainFailure }, () => runResources(args, terminal)),
};

async function runResources(args: readonly string[], terminal: Terminal): Promise<number> {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, OPTIONS);
  const { server, others } = parseServer({ positionals, command }, values, terminal.environment);
  const [uri, ...rest] = others;
  if (rest.length > 0) throw new UsageError('One URI was expected besides the server: the URI of a resource');
  if (uri === undefined) {
    const listed = await withAskingClient(server, terminal, listResources);
    const text = values.json ? formatVisibleJson(listed) : formatResources(listed);
    if (text === '') terminal.complain('The server has no resources');
    else terminal.print(text);
    return ExitCode.success;
  }
  const result = await withAskingClient(server, terminal, ({ client, options }) =>
    client.readResource({ uri }, options),
  );
  terminal.print(values.json ? formatVisibleJson(result) : formatContents(result));
  return ExitCode.success;
}

function formatContents({ contents }: ReadResourceResult): string {
  return contents.map((content) => formatResource({ ...content })).join('\n');
}
