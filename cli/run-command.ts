import { findClosestName } from '../lib/core/checks/suggest-names.js';
import { readOwnPackage } from '../lib/core/package/own-package.js';
import { ExitCode, type CommandEntry, type Terminal } from './command.interface.js';
import { formatRows, wrapHelp } from './help.js';
import { quoteVisible } from './visible-text.js';

/** Runs the command that the arguments name, and returns its exit code. */
export async function runCommand(
  args: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version') return answer(terminal, readOwnPackage().version);
  if (name === '--help' || name === '-h') return answer(terminal, formatUsage(commands));
  const entry = commands.find((one) => one.name === name);
  if (entry === undefined)
    return name === 'help' ? help(rest, commands, terminal) : refuse(terminal, commands, name);
  const command = await entry.load();
  return command.run(rest, terminal);
}

function answer(terminal: Terminal, text: string): number {
  terminal.print(text);
  return ExitCode.success;
}

/** Runs `help`, `help <command>` and `help connection`. */
async function help(
  [name]: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Promise<number> {
  if (name === 'connection') {
    const { formatConnectionHelp } = await import('./server/called-server.js');
    return answer(terminal, formatConnectionHelp());
  }
  const args = name === undefined ? ['--help'] : [name, '--help'];
  return runCommand(args, commands, terminal);
}

function refuse(terminal: Terminal, commands: readonly CommandEntry[], name: string | undefined): number {
  if (name !== undefined) terminal.complain(explainUnknown(name, commands));
  terminal.complain(formatUsage(commands));
  return ExitCode.usage;
}

function explainUnknown(name: string, commands: readonly CommandEntry[]): string {
  const isOption = name.startsWith('-');
  const known = isOption ? ['--help', '--version'] : commands.map((command) => command.name);
  const closest = findClosestName(name, known);
  const explanation = `Unknown ${isOption ? 'option' : 'command'} ${quoteVisible(name)}`;
  return closest === undefined ? explanation : `${explanation}: did you mean "${closest}"?`;
}

const OTHERS: readonly (readonly [usage: string, summary: string])[] = [
  ['<command> --help', 'Show the options of a command'],
  ['help connection', 'Show the options for connecting to a server'],
  ['--version', 'Show the version'],
];

/** They belong to the Nest CLI, but users look for them here too. */
const GENERATORS =
  'To generate handlers and their tests, use the Nest CLI: nest g -c nestjs-mcp-cli tool|resource|prompt|... <name>';

function formatUsage(commands: readonly CommandEntry[]): string {
  const rows = [...commands.map(({ usage, summary }) => [usage, summary] as const), ...OTHERS];
  const usage = 'Usage: nestjs-mcp-cli <command> [options]';
  return wrapHelp([usage, formatRows('Commands:', rows), GENERATORS].join('\n\n'));
}
