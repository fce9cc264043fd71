import { readOwnPackage } from '../core/package/own-package.js';
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
  if (entry === undefined) return refuse(terminal, formatUsage(commands), name);
  const command = await entry.load();
  return command.run(rest, terminal);
}

function answer(terminal: Terminal, text: string): number {
  terminal.print(text);
  return ExitCode.success;
}

function refuse(terminal: Terminal, usage: string, name: string | undefined): number {
  if (name?.startsWith('-')) terminal.complain(`The option ${quoteVisible(name)} is not known`);
  else if (name !== undefined) terminal.complain(`There is no command ${quoteVisible(name)}`);
  terminal.complain(usage);
  return ExitCode.usage;
}

const ABOUT = [
  { usage: '<command> --help', summary: 'shows the options of a command' },
  { usage: '--version', summary: 'shows the version' },
];

/** They belong to the Nest CLI, but users look for them here too. */
const GENERATORS =
  'Handlers with their tests come from the Nest CLI: nest g -c nestjs-mcp tool|resource|prompt|… <name>';

function formatUsage(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const rows = [...commands, ...ABOUT].map(
    ({ usage, summary }) => `  nestjs-mcp ${usage.padEnd(width)}  ${summary}`,
  );
  return ['Usage:', ...rows, '', GENERATORS].join('\n');
}
