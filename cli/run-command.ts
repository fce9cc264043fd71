import { findClosestName } from '../lib/core/checks/find-closest-name.js';
import { readOwnPackage } from '../lib/core/package/own-package.js';
import { ExitCode, type CommandEntry, type Terminal } from './command.interface.js';
import { quoteVisible } from './visible-text.js';

/** Runs the command that the arguments name, and gives the exit code. */
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

/** Many command lines have it as a command. */
function help(
  [name]: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): number | Promise<number> {
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
  const what = isOption
    ? `The option ${quoteVisible(name)} is not known`
    : `There is no command ${quoteVisible(name)}`;
  return closest === undefined ? what : `${what}: did you mean "${closest}"?`;
}

const ABOUT = [
  { usage: '<command> --help', summary: 'shows the options of a command' },
  { usage: '--version', summary: 'shows the version' },
];

/** They belong to the Nest CLI, but users look for them here too. */
const GENERATORS =
  'Handlers with their tests come from the Nest CLI: nest g -c nestjs-mcp-cli tool|resource|prompt|… <name>';

function formatUsage(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const rows = [...commands, ...ABOUT].map(
    ({ usage, summary }) => `  nestjs-mcp-cli ${usage.padEnd(width)}  ${summary}`,
  );
  return ['Usage:', ...rows, '', GENERATORS].join('\n');
}
