import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../cli/commands.js';
import { ExitCode } from '../../../cli/command.interface.js';
import { CLIENTS } from '../../../cli/clients/clients.js';
import { HEADER_USAGE } from '../../../cli/server/header-options.js';
import { runCommand } from '../../../cli/run-command.js';

const page = readFileSync('docs/command-line.md', 'utf8');

/** Commands whose options stand on pages of their own. */
const ELSEWHERE = new Set(['init', 'migrate', 'dev', 'doctor', 'bench']);

const EXPLAINED = COMMANDS.map(({ name }) => name).filter((name) => !ELSEWHERE.has(name));

describe('docs/command-line.md', () => {
  let printed: string[];

  beforeEach(() => {
    printed = [];
  });

  const readUsage = async (name: string): Promise<string> => {
    const terminal = {
      environment: {},
      print: (line: string) => void printed.push(line),
      complain: () => undefined,
    };
    expect(await runCommand([name, '--help'], COMMANDS, terminal)).toBe(0);
    return printed.join('\n');
  };

  it('lists every command with its arguments, in the order of the usage (CLI-20)', () => {
    const listed = [...page.matchAll(/^\| `([a-z-]+(?: [^`]*)?)` +\| [a-z]/gm)].map(([, usage]) => usage);
    expect(listed).toEqual(COMMANDS.map(({ usage }) => usage.replaceAll('...', '…')));
  });

  it.each(EXPLAINED)('has every option of "%s" (CLI-20)', async (name) => {
    const usage = await readUsage(name);
    const options = [...usage.matchAll(/^ {2}(--[a-z\d-]+)/gm)].map(([, option = '']) => option);
    for (const option of options) expect(page).toMatch(new RegExp(`^\\| \`${option}[ \`].*\`${name}\``, 'm'));
  });

  it('has no option that a command lacks (CLI-20)', async () => {
    const rows = [...page.matchAll(/^\| `(--[a-z\d-]+)[^|]*\| ((?:`[a-z-]+`[, ]*)+)\|/gm)];
    const named = rows.flatMap(([, option = '', names = '']) =>
      [...names.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => ({ option, name })),
    );
    expect(named.length).toBeGreaterThan(EXPLAINED.length);
    for (const { option, name } of named) {
      printed = [];
      expect(await readUsage(name)).toMatch(new RegExp(`^ {2}${option} `, 'm'));
    }
  });

  it('gives every command that asks a server the same options for headers (CLI-20)', async () => {
    // "logout" is told a server too, but asks the one that gave the tokens.
    const asking = COMMANDS.filter(({ name, usage }) => usage.includes('<url') && name !== 'logout');
    expect(asking.length).toBeGreaterThan(0);
    for (const { name } of asking) {
      printed = [];
      expect(await readUsage(name)).toContain(HEADER_USAGE);
    }
  });

  it('lists every client that "add" knows, with what each of them has', () => {
    const rows = page
      .match(/^\| `[a-z-]+` +\| [A-Z].*$/gm)
      ?.map((row) => row.split('|').map((cell) => cell.trim()));
    const known = CLIENTS.map(({ name, title, files }) => [`\`${name}\``, title, 'project' in files]);
    expect(rows?.map(([, name, title, project]) => [name, title, project !== '–'])).toEqual(known);
  });

  it('has every exit code (CLI-20)', () => {
    const listed = [...page.matchAll(/^\| (\d) +\|/gm)].map(([, code]) => Number(code));
    expect(listed).toEqual(Object.values(ExitCode));
  });
});
