import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../../cli/commands.js';
import { runCommand } from '../../../../cli/run-command.js';
import { CONTEXT_MEMBERS } from '../../../../cli/migrate/replacements/context-members.js';
import type {
  MemberReplacement,
  Release,
} from '../../../../cli/migrate/replacements/replacement.interface.js';
import { DECISIONS } from '../../../../cli/migrate/replacements/decisions.js';
import { DECORATOR_OPTIONS } from '../../../../cli/migrate/replacements/decorator-options.js';
import { EXPORTED_NAMES } from '../../../../cli/migrate/replacements/exported-names.js';
import { SERVER_OPTIONS, TRANSPORT_OPTIONS } from '../../../../cli/migrate/replacements/server-options.js';

const RELEASES: readonly Release[] = [1, 2];

const readPage = (release: Release) => readFileSync(`docs/migration/from-mcp-nest-${release}.md`, 'utf8');

/** Reads the rows of all tables: what stands in the first cell, and in the rest. */
function readRows(page: string): readonly (readonly [theirs: string, ours: string])[] {
  return [...page.matchAll(/^\| (.+?) +\| (.+?) *\|(.*)$/gm)].map(([, theirs = '', ours = '', rest = '']) => [
    theirs,
    ours + rest,
  ]);
}

function has(page: string, { theirs, ours }: MemberReplacement): boolean {
  return readRows(page).some(
    ([left, right]) =>
      left.startsWith(`\`${theirs}\``) && (ours === undefined || right.includes(ours.replace('—', '—'))),
  );
}

describe.each(RELEASES)('docs/migration/from-mcp-nest-%i.md', (release) => {
  const page = readPage(release);
  const isOf = (row: MemberReplacement) => row.release === undefined || row.release === release;

  it.each([
    ['the server', SERVER_OPTIONS],
    ['transports', TRANSPORT_OPTIONS.filter(({ theirs }) => theirs !== 'legacy')],
    ['the context', CONTEXT_MEMBERS],
  ])('has every replacement of %s that the command writes', (_, rows: readonly MemberReplacement[]) => {
    expect(rows.filter((row) => isOf(row) && !has(page, row)).map(({ theirs }) => theirs)).toEqual([]);
  });

  it('has the renamed options of decorators', () => {
    for (const [decorator, rows] of Object.entries(DECORATOR_OPTIONS)) {
      for (const { theirs, ours } of rows) {
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
});

describe('The pages of migration', () => {
  const rows = RELEASES.flatMap((release) => readRows(readPage(release)));

  it('name what becomes of each name that has a replacement', () => {
    const missing = Object.entries(EXPORTED_NAMES).filter(([theirs, replacement]) => {
      if (replacement.kind !== 'moved') return false;
      const named = rows.filter(([left]) => new RegExp(`\`@?${theirs}\\b`).test(left));
      return !named.some(([, ours]) => new RegExp(`\\b${replacement.name}\\b`).test(ours));
    });
    expect(missing.map(([theirs]) => theirs)).toEqual([]);
  });
});

describe('docs/migration/from-mcp-nest-1.md', () => {
  let printed: string[];

  beforeEach(() => {
    printed = [];
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
    for (const option of options) expect(readPage(1)).toMatch(new RegExp(`^\\| \`${option}[ \`]`, 'm'));
  });
});
