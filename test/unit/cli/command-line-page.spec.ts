import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../cli/commands.js';
import { ExitCode } from '../../../cli/command.interface.js';
import { CLIENTS } from '../../../cli/clients/clients.js';
import { STARTED_OPTIONS } from '../../../cli/server/called-server.js';
import { HEADER_OPTIONS } from '../../../cli/server/parse-header.js';
import { LOGIN_OPTIONS, SERVER_OPTIONS } from '../../../cli/server/server-options.js';
import { buildOptionRows, loadHelp, readOptionRows } from './option-rows.js';

const page = readFileSync('docs/command-line.md', 'utf8');

/** Commands whose options stand on pages of their own, or are the connection options. */
const ELSEWHERE = new Set(['migrate', 'dev', 'doctor', 'bench', 'login']);

const EXPLAINED = COMMANDS.map(({ name }) => name).filter((name) => !ELSEWHERE.has(name));

const [overview = ''] = page.split('## ');

const rows = readOptionRows('command-line.md');

describe('docs/command-line.md', () => {
  it('lists every command with its arguments, in the order of the help (CLI-20)', () => {
    const listed = [...overview.matchAll(/^\| `([a-z-]+(?: [^`]*)?)` +\| [A-Z]/gm)].map(([, usage]) => usage);
    expect(listed).toEqual(COMMANDS.map(({ usage }) => usage.replaceAll('...', '…')));
  });

  it.each(EXPLAINED)('has the options of "%s", as its help has them (CLI-20)', async (name) => {
    const { options } = await loadHelp(name);
    const listed = rows.filter(([command]) => command === `\`${name}\``).map(([, ...row]) => row);
    expect(listed).toEqual(buildOptionRows(options));
  });

  it('has the connection options once, as the help has them (CLI-20)', () => {
    const listed = rows.filter((row) => row.length === 3);
    expect(listed).toEqual(buildOptionRows({ ...SERVER_OPTIONS, ...STARTED_OPTIONS }));
  });

  it('says which commands accept the connection options (CLI-20)', async () => {
    const helps = await Promise.all(COMMANDS.map(async ({ name, load }) => ({ name, ...(await load()) })));
    const accepting = helps.filter(({ help }) => help?.acceptsConnection === true).map(({ name }) => name);
    const [, named = ''] = /accepted by ([^.]*)\./.exec(page.replaceAll(/\s+/g, ' ')) ?? [];
    const names = [...named.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
    expect(names.toSorted()).toEqual([...accepting, 'bench'].toSorted());
  });

  it('says which of them a login does not accept (CLI-20)', () => {
    const [, named = ''] = /`login` accepts all but ([^.]*)\./.exec(page.replaceAll(/\s+/g, ' ')) ?? [];
    const missing = Object.keys(SERVER_OPTIONS).filter((name) => !Object.hasOwn(LOGIN_OPTIONS, name));
    expect([...named.matchAll(/`--([a-z-]+)`/g)].map(([, name]) => name)).toEqual(missing);
  });

  it('has no options of another command (CLI-20)', () => {
    const commands = new Set(rows.filter((row) => row.length > 3).map(([command = '']) => command));
    expect([...commands].toSorted()).toEqual(EXPLAINED.map((name) => `\`${name}\``).toSorted());
  });

  it('gives every command that sends requests the same options for headers (CLI-20)', async () => {
    // "logout" gets the URL of a server too, but sends requests to the authorization server.
    const sending = COMMANDS.filter(({ name, usage }) => usage.includes('<url') && name !== 'logout');
    for (const { name, load } of sending) {
      const { help } = await load();
      const accepted = help === undefined || help.acceptsConnection === true ? SERVER_OPTIONS : help.options;
      expect([name, accepted]).toMatchObject([name, HEADER_OPTIONS]);
    }
  });

  it('lists every client that "add" knows, with what each of them has', () => {
    const [, clients = ''] = page.split('## Adding a server');
    const listed = clients
      .match(/^\| `[a-z-]+` +\| [A-Z].*$/gm)
      ?.map((row) => row.split('|').map((cell) => cell.trim()));
    const known = CLIENTS.map(({ name, title, files }) => [`\`${name}\``, title, 'project' in files]);
    expect(listed?.map(([, name, title, project]) => [name, title, project !== '–'])).toEqual(known);
  });

  it('has every exit code (CLI-20)', () => {
    const listed = [...page.matchAll(/^\| (\d) +\|/gm)].map(([, code]) => Number(code));
    expect(listed).toEqual(Object.values(ExitCode));
  });
});
