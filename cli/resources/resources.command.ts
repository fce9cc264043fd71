import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { formatResource } from '../call/format-result.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { flagOption, formatHelp, type Help } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely } from '../run-safely.js';
import { withInteractiveClient, type InteractiveClient } from '../server/interactive-client.js';
import { parseServer, splitCommand, STARTED_OPTIONS } from '../server/called-server.js';
import { explainFailure } from '../server/explain-failure.js';
import { CONNECTION_EXIT_CODES, SERVER_OPTIONS } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';
import { formatVisibleJson, makeLine } from '../visible-text.js';

const OWN_OPTIONS = {
  json: { ...flagOption('Print the list, or the whole result, as JSON'), default: false },
};

const OPTIONS = { ...SERVER_OPTIONS, ...STARTED_OPTIONS, ...OWN_OPTIONS } as const;

const HELP: Help = {
  usage: ['resources <url> [uri] [options]', 'resources [uri] [options] -- <command> [argument ...]'],
  description: "List a server's resources and resource templates, or read the resource at a URI.",
  options: OWN_OPTIONS,
  acceptsConnection: true,
  exitCodes: CONNECTION_EXIT_CODES,
};

/** Lists a server's resources, or reads one: `nestjs-mcp-cli resources <url> [uri]`. */
export const resourcesCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainFailure }, () =>
      runResources(args, terminal),
    ),
};

async function runResources(args: readonly string[], terminal: Terminal): Promise<number> {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, OPTIONS);
  const { server, others } = parseServer({ positionals, command }, values, terminal.environment);
  const [uri, ...rest] = others;
  if (rest.length > 0) throw new UsageError('Too many arguments: expected one resource URI');
  if (uri === undefined) {
    const listed = await withInteractiveClient(server, terminal, listResources);
    const text = values.json ? formatVisibleJson(listed) : formatResources(listed);
    if (text === '') terminal.complain('The server has no resources');
    else terminal.print(text);
    return ExitCode.success;
  }
  const result = await withInteractiveClient(server, terminal, ({ client, options }) =>
    client.readResource({ uri }, options),
  );
  terminal.print(values.json ? formatVisibleJson(result) : formatContents(result));
  return ExitCode.success;
}

function formatContents({ contents }: ReadResourceResult): string {
  return contents.map((content) => formatResource({ ...content })).join('\n');
}

interface Described {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Prints the resources for a person: first the resources with a URI, then the templates. */
function formatResources({ resources, resourceTemplates }: ListedResources): string {
  return [
    ...resources.map((resource) => formatEntry(resource.uri, resource)),
    ...resourceTemplates.map((template) => formatEntry(template.uriTemplate, template)),
  ].join('\n');
}

function formatEntry(place: string, { name, title, description, mimeType }: Described): string {
  const about = makeLine(description ?? title ?? name ?? '');
  const type = mimeType === undefined ? '' : `  (${makeLine(mimeType)})`;
  return `${makeLine(place)}${about === '' ? '' : `  ${about}`}${type}`;
}

/** A server's resources. */
interface ListedResources {
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
}

/** Lists a server's resources and templates. Without the capability, no request is sent, and the list is empty. */
async function listResources({ client, options }: InteractiveClient): Promise<ListedResources> {
  if (client.getServerCapabilities()?.resources === undefined)
    return { resources: [], resourceTemplates: [] };
  const { resources } = await client.listResources(undefined, options);
  const { resourceTemplates } = await client.listResourceTemplates(undefined, options);
  return { resources, resourceTemplates };
}
