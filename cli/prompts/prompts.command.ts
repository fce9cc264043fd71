import type { Prompt } from '@modelcontextprotocol/client';
import { collectTexts } from '../call/call-options.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely } from '../run-safely.js';
import { withAskingClient, type AskingClient } from '../server/asking-client.js';
import { explainFailure } from '../server/explain-failure.js';
import { parseServer, splitCommand, STARTED_OPTIONS, STARTED_USAGE } from '../server/called-server.js';
import { EXIT_CODES, SERVER_OPTIONS, SERVER_USAGE } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';
import { formatVisibleJson, quoteVisible } from '../visible-text.js';
import { buildPromptArguments } from './build-prompt-arguments.js';
import { formatMessages, formatPrompts } from './format-prompts.js';

const USAGE = `Usage: nestjs-mcp-cli prompts <url> [prompt] [key=value ...] [options]
       nestjs-mcp-cli prompts [prompt] [key=value ...] [options] -- <command> [argument ...]

Lists the prompts of a server and their arguments, or gets one.

  key=value                    an argument of the prompt
  --json                       print the list, or the whole result, as JSON
${STARTED_USAGE}
${SERVER_USAGE}

${EXIT_CODES}`;

const OPTIONS = { ...SERVER_OPTIONS, ...STARTED_OPTIONS, json: { type: 'boolean', default: false } } as const;

/** Lists the prompts of a server, or gets one: `nestjs-mcp-cli prompts <url> [prompt] [key=value ...]`. */
export const promptsCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE, explain: explainFailure }, () => runPrompts(args, terminal)),
};

async function runPrompts(args: readonly string[], terminal: Terminal): Promise<number> {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, OPTIONS);
  const { server, others } = parseServer({ positionals, command }, values, terminal.environment);
  const [name, ...pairs] = others;
  const texts = collectTexts(pairs);
  if (name === undefined) {
    const prompts = await withAskingClient(server, terminal, listPrompts);
    if (values.json) terminal.print(formatVisibleJson(prompts));
    else if (prompts.length > 0) terminal.print(formatPrompts(prompts));
    else terminal.complain('The server has no prompts');
    return ExitCode.success;
  }
  const result = await withAskingClient(server, terminal, async (connected) => {
    const prompt = getPrompt(name, await listPrompts(connected));
    const params = { name, arguments: buildPromptArguments(texts, prompt) };
    return connected.client.getPrompt(params, connected.options);
  });
  terminal.print(values.json ? formatVisibleJson(result) : formatMessages(result.messages));
  return ExitCode.success;
}

/** Lists the prompts of a server. A server without the capability is not asked, and the list is empty. */
async function listPrompts({ client, options }: AskingClient): Promise<readonly Prompt[]> {
  if (client.getServerCapabilities()?.prompts === undefined) return [];
  return (await client.listPrompts(undefined, options)).prompts;
}

function getPrompt(name: string, prompts: readonly Prompt[]): Prompt {
  const prompt = prompts.find((one) => one.name === name);
  if (prompt !== undefined) return prompt;
  const names = prompts.length === 0 ? 'none' : prompts.map((one) => quoteVisible(one.name)).join(', ');
  throw new UsageError(`The server has no prompt ${quoteVisible(name)}: it has ${names}`);
}
