import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../cli/commands.js';
import { formatHelp, wrapHelp } from '../../../cli/help.js';
import { LOGIN_OPTIONS, SERVER_OPTIONS } from '../../../cli/server/server-options.js';
import { loadHelp, readHelp } from './option-rows.js';

const NAMES = COMMANDS.map(({ name }) => name);

const CALLS: readonly (readonly string[])[] = [
  ['--help'],
  ['help', 'connection'],
  ...NAMES.map((name) => [name, '--help']),
];

describe('--help', () => {
  it.each(CALLS)('fits into 80 columns: %s %s (CLI-20)', async (...args) => {
    const lines = (await readHelp(...args)).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeGreaterThan(5);
  });

  it('lists every command with an imperative summary (CLI-20)', async () => {
    const text = await readHelp('--help');
    for (const { usage, summary } of COMMANDS) {
      expect(text).toContain(`\n  ${usage}`);
      expect(summary).toMatch(/^(?:Add|Call|Create|Examine|Lint|List|Log|Measure|Migrate|Print|Re\w+|Run) /);
    }
  });

  it.each(['tools', 'call', 'resources', 'prompts', 'lint'])(
    'of "%s" lists its own options, and leads to those of connections (CLI-20)',
    async (name) => {
      const text = (await readHelp(name, '--help')).replaceAll(/\s+/g, ' ');
      expect(text).toContain('run "nestjs-mcp-cli help connection"');
      for (const option of Object.keys((await loadHelp(name)).options))
        expect(text).toContain(` --${option} `);
      expect(text).not.toContain(' --client-id <id>');
    },
  );

  it('of connections lists their options once, with their defaults (CLI-20)', async () => {
    const text = await readHelp('help', 'connection');
    const listed = [...text.matchAll(/^ {2}--([a-z\d-]+)/gm)].map(([, name]) => name);
    expect(listed).toEqual([...Object.keys(SERVER_OPTIONS), 'env', 'cwd']);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('or all pages of a list (default: 8388608)');
  });

  it('lists all options of a login with the command (CLI-20)', async () => {
    const listed = [...(await readHelp('login', '--help')).matchAll(/^ {2}--([a-z\d-]+)/gm)];
    expect(listed.map(([, name]) => name)).toEqual(Object.keys(LOGIN_OPTIONS));
  });
});

describe('formatHelp()', () => {
  it('says what can be repeated, and what applies by default (CLI-20)', () => {
    const text = formatHelp({
      usage: ['roll <url> [options]', 'roll -- <command>'],
      description: 'Roll dice.',
      operands: { sides: 'Number of sides' },
      options: {
        count: { type: 'string', value: '<number>', summary: 'Number of dice', fallback: '1' },
        player: { type: 'string', multiple: true, value: '<name>', summary: 'Name of a player' },
        out: { type: 'string', default: 'dice.json', value: '<path>', summary: 'File to write' },
        quiet: { type: 'boolean', default: false, summary: 'Print nothing' },
      },
      exitCodes: { 0: 'Success' },
    });
    expect(text).toBe(
      [
        'Usage: nestjs-mcp-cli roll <url> [options]',
        '       nestjs-mcp-cli roll -- <command>',
        '',
        'Roll dice.',
        '',
        'Arguments:',
        '  sides  Number of sides',
        '',
        'Options:',
        '  --count <number>  Number of dice (default: 1)',
        '  --player <name>   Name of a player (repeatable)',
        '  --out <path>      File to write (default: dice.json)',
        '  --quiet           Print nothing',
        '',
        'Exit codes:',
        '  0  Success',
      ].join('\n'),
    );
  });
});

describe('wrapHelp()', () => {
  it('indents the rest of an entry as far as its text, and leaves short lines alone (CLI-20)', () => {
    const words = Array.from({ length: 30 }, () => 'word');
    const lines = wrapHelp(`Title\n\n  --option <value>  ${words.join(' ')}`).split('\n');
    expect(lines.slice(0, 2)).toEqual(['Title', '']);
    expect(lines[2]).toMatch(/^ {2}--option <value> {2}word /);
    expect(lines.slice(3).every((line) => /^ {20}word/.test(line))).toBe(true);
    expect(
      lines
        .slice(2)
        .join(' ')
        .split(' ')
        .filter((word) => word === 'word'),
    ).toHaveLength(30);
  });

  it('indents the rest of a usage behind its title (CLI-20)', () => {
    const usage = `Usage: nestjs-mcp-cli ${'argument '.repeat(12).trim()}`;
    const [, second = ''] = wrapHelp(usage).split('\n');
    expect(second).toMatch(/^ {7}argument/);
  });
});
