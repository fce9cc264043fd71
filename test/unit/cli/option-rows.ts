import { readFileSync } from 'node:fs';
import { COMMANDS } from '../../../cli/commands.js';
import { findFallback, formatOption, type Help, type OptionDeclarations } from '../../../cli/help.js';
import { runCommand } from '../../../cli/run-command.js';

/** A row of a table of options: the option, its default, and what it does. */
export type OptionRow = readonly [option: string, fallback: string, summary: string];

/** Builds the rows that a page has for options. */
export function buildOptionRows(options: OptionDeclarations): readonly OptionRow[] {
  return Object.entries(options).map(([name, option]) => {
    const none = option.type === 'boolean' ? 'off' : 'none';
    const summary = option.multiple === true ? `${option.summary} (repeatable)` : option.summary;
    return [`\`${formatOption(name, option)}\``, mark(findFallback(option) ?? none), mark(summary)];
  });
}

/** Words of the command line are code on a page. */
function mark(text: string): string {
  return text.replaceAll(/"([^"]+)"|(https?:\/\/[^\s,]+|\{ [^}]* \}|--[a-z-]+|\b[A-Z]+_[A-Z]+\b)/g, '`$1$2`');
}

/** Reads the rows of the tables of options of a page, without the links that it adds. */
export function readOptionRows(page: string): readonly (readonly string[])[] {
  const text = readFileSync(`docs/${page}`, 'utf8').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  const rows = text.split('\n').filter((line) => /^\|(?: `[a-z-]+` +\|)? `--/.test(line));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** Returns the help of a command that declares it. */
export async function loadHelp(name: string): Promise<Help> {
  const { help } = (await COMMANDS.find((entry) => entry.name === name)?.load()) ?? {};
  if (help === undefined) throw new Error(`"${name}" declares no help`);
  return help;
}

/** Runs the command line, and returns what it printed. */
export async function readHelp(...args: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const code = await runCommand(args, COMMANDS, { environment: {}, print, complain: print });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return printed.join('\n');
}
