import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../../cli/commands.js';
import { runCommand } from '../../../../cli/run-command.js';
import { CONTEXT_MEMBERS } from '../../../../cli/migrate/replacements/context-members.js';
import type { MemberReplacement } from '../../../../cli/migrate/replacements/replacement.interface.js';
import { DECISIONS } from '../../../../cli/migrate/replacements/decisions.js';
import { DECORATOR_OPTIONS } from '../../../../cli/migrate/replacements/decorator-options.js';
import { EXPORTED_NAMES } from '../../../../cli/migrate/replacements/exported-names.js';
import { SERVER_OPTIONS, TRANSPORT_OPTIONS } from '../../../../cli/migrate/replacements/server-options.js';

const page = readFileSync('docs/migration/from-mcp-nest.md', 'utf8');

/** The rows of all tables: what stands in the first cell, and in the rest. */
const rows = [...page.matchAll(/^\| (.+?) +\| (.+?) *\|(.*)$/gm)].map(
  ([, theirs = '', ours = '', rest = '']) => [theirs, ours + rest] as const,
);

/** Tells whether the page has a replacement. A row for one release is marked with it, as "(1.x)", or the whole table is. */
function has({ theirs, ours, release }: MemberReplacement): boolean {
  return rows.some(([left, right]) => {
    const [, mark = release] = /\((\d)\.x\)/.exec(left) ?? [];
    return (
      left.startsWith(`\`${theirs}\``) &&
      String(mark) === String(release) &&
      (ours === undefined || right.includes(ours))
    );
  });
}

describe('docs/migration/from-mcp-nest.md', () => {
  let printed: string[];

  beforeEach(() => {
    printed = [];
  });

  it.each([
    ['the server', SERVER_OPTIONS],
    ['transports', TRANSPORT_OPTIONS.filter(({ theirs }) => theirs !== 'legacy')],
    ['the context', CONTEXT_MEMBERS],
  ])('has every replacement of %s that the command writes', (_, members: readonly MemberReplacement[]) => {
    expect(members.filter((row) => !has(row)).map(({ theirs }) => theirs)).toEqual([]);
  });

  it('has the renamed options of decorators', () => {
    for (const [decorator, members] of Object.entries(DECORATOR_OPTIONS)) {
      for (const { theirs, ours } of members) {
        expect(page).toMatch(
          new RegExp(`^\\| \`@${decorator}\\(\\)\` +\\| \`${theirs}\` +\\| \`${ours}\``, 'm'),
        );
      }
    }
  });

  it('has a heading for each decision that it may be named for', () => {
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const anchors = Object.values(DECISIONS).map(({ anchor }) => anchor);
    expect(anchors.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });

  it('names what becomes of each name that has a replacement', () => {
    const [, kept = ''] = /^## Names\n+([^|]+)/m.exec(page) ?? [];
    const missing = Object.entries(EXPORTED_NAMES).filter(([theirs, replacement]) => {
      if (replacement.kind !== 'moved') return false;
      const name = new RegExp(`\`@?${theirs}\\b`);
      if (replacement.name === theirs) return !name.test(kept);
      const named = rows.filter(([left]) => name.test(left));
      return !named.some(([, ours]) => new RegExp(`\\b${replacement.name}\\b`).test(ours));
    });
    expect(missing.map(([theirs]) => theirs)).toEqual([]);
  });

  it('has every option of "migrate" (CLI-20)', async () => {
    const terminal = {
      environment: {},
      print: (line: string) => void printed.push(line),
      complain: () => undefined,
    };
    await runCommand(['migrate', '--help'], COMMANDS, terminal);
    const options = [...printed.join('\n').matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = '']) => option);
    expect(options).toEqual(['--project', '--yes', '--dry-run', '--force']);
    for (const option of options) expect(page).toMatch(new RegExp(`^\\| \`${option}[ \`]`, 'm'));
  });
});
