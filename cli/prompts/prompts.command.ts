import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client';
import { collectTexts } from '../call/call-options.js';
import { formatResult } from '../call/format-result.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { flagOption, formatHelp, type Help } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely } from '../run-safely.js';
import { withInteractiveClient, type InteractiveClient } from '../server/interactive-client.js';
import { parseServer, splitCommand, STARTED_OPTIONS } from '../server/called-server.js';
import { explainFailure } from '../server/explain-failure.js';
import { CONNECTION_EXIT_CODES, SERVER_OPTIONS } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';
import { formatVisibleJson, makeLine, quoteVisible } from '../visible-text.js';

const OWN_OPTIONS = {
  json: { ...flagOption('Print the list, or the whole result, as JSON'), default: false },
};

const OPTIONS = { ...SERVER_OPTIONS, ...STARTED_OPTIONS, ...OWN_OPTIONS } as const;

const HELP: Help = {
  usage: [
    'prompts <url> [prompt] [key=value ...] [options]',
    'prompts [prompt] [key=value ...] [options] -- <command> [argument ...]',
  ],
  description: "List a server's prompts and their arguments, or get one prompt.",
  operands: { 'key=value': 'Argument for the prompt' },
  options: OWN_OPTIONS,
  acceptsConnection: true,
  exitCodes: CONNECTION_EXIT_CODES,
};

/** Lists a server's prompts, or gets one: `nestjs-mcp-cli prompts <url> [prompt] [key=value ...]`. */
export const promptsCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainFailure }, () =>
      runPrompts(args, terminal),
    ),
};

async function runPrompts(args: readonly string[], terminal: Terminal): Promise<number> {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, OPTIONS);
  const { server, others } = parseServer({ positionals, command }, values, terminal.environment);
  const [name, ...pairs] = others;
  const texts = collectTexts(pairs);
  if (name === undefined) {
    const prompts = await withInteractiveClient(server, terminal, listPrompts);
    if (values.json) terminal.print(formatVisibleJson(prompts));
    else if (prompts.length > 0) terminal.print(formatPrompts(prompts));
    else terminal.complain('The server has no prompts');
    return ExitCode.success;
  }
  const result = await withInteractiveClient(server, terminal, async (connected) => {
    const prompt = getPrompt(name, await listPrompts(connected));
    const params = { name, arguments: buildPromptArguments(texts, prompt) };
    return connected.client.getPrompt(params, connected.options);
  });
  terminal.print(values.json ? formatVisibleJson(result) : formatMessages(result.messages));
  return ExitCode.success;
}

/** Lists a server's prompts. Without the capability, no request is sent, and the list is empty. */
async function listPrompts({ client, options }: InteractiveClient): Promise<readonly Prompt[]> {
  if (client.getServerCapabilities()?.prompts === undefined) return [];
  return (await client.listPrompts(undefined, options)).prompts;
}

function getPrompt(name: string, prompts: readonly Prompt[]): Prompt {
  const prompt = prompts.find((one) => one.name === name);
  if (prompt !== undefined) return prompt;
  const names = prompts.length === 0 ? 'none' : prompts.map((one) => quoteVisible(one.name)).join(', ');
  throw new UsageError(`The server has no prompt ${quoteVisible(name)}: it has ${names}`);
}

/**
 * Builds a prompt's arguments, which are strings.
 *
 * @throws {UsageError} with a line for each argument that is missing, unknown or repeated
 */
function buildPromptArguments(
  texts: ReadonlyMap<string, readonly string[]>,
  { arguments: described = [] }: Prompt,
): { [name: string]: string } {
  const names = described.map(({ name }) => name);
  const known = names.length === 0 ? 'has none' : `has ${names.map(quoteVisible).join(', ')}`;
  const complaints = [...texts].flatMap(([name, given]) => {
    if (!names.includes(name)) return [`The prompt has no argument ${quoteVisible(name)}: it ${known}`];
    if (given.length === 1) return [];
    return [`The argument ${quoteVisible(name)} must be a single value, but was passed several times`];
  });
  const missing = described.filter(({ name, required }) => required === true && !texts.has(name));
  complaints.push(...missing.map(({ name }) => `The argument ${quoteVisible(name)} is required`));
  if (complaints.length > 0) throw new UsageError(complaints.join('\n'));
  return Object.fromEntries([...texts].map(([name, [text = '']]) => [name, text]));
}

/** Prints the prompts and their arguments, for a person. */
function formatPrompts(prompts: readonly Prompt[]): string {
  return prompts.map(formatPrompt).join('\n\n');
}

function formatPrompt({ name, title, description, arguments: described = [] }: Prompt): string {
  const about = makeLine(description ?? title ?? '');
  const rows = described.map((one) => ({
    name: makeLine(one.name),
    kind: one.required === true ? 'required' : 'optional',
    about: makeLine(one.description ?? ''),
  }));
  const width = Math.max(0, ...rows.map((row) => row.name.length));
  return [
    about === '' ? makeLine(name) : `${makeLine(name)}  ${about}`,
    ...rows.map((row) => `  ${row.name.padEnd(width)}  ${row.kind}  ${row.about}`.trimEnd()),
  ].join('\n');
}

/** Formats a prompt's messages for a person, each with its role. */
function formatMessages(messages: GetPromptResult['messages']): string {
  return messages
    .map(({ role, content }) => `${makeLine(role)}: ${formatResult({ content: [content] })}`)
    .join('\n\n');
}
