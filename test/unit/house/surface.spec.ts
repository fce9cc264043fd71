import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from './layer-table.js';

const SHELF = `
/** What stands where. */
export interface Shelf {
  readonly books: readonly Book[];
  /** @deprecated Ask a shelf. */
  count(): number;
}
interface Book {
  readonly title: string;
}
export {};
`;

const LIBRARY = `
import { Shelf } from './shelf.js';
declare class Ledger {
  private readonly lines;
  write(line: string): void;
}
export declare class Library {
  private readonly ledger;
  constructor(ledger: Ledger, name: string);
  protected find(title: string): Shelf | undefined;
  lend(title: string): void;
  lend(title: string, days: number): void;
}
interface Fault {
  readonly copy: number;
}
export declare class LentError extends Error {
  constructor(fault: Fault);
}
export type Days = number;
export declare const OPENING_HOURS: readonly string[];
export {};
`;

const PACKAGE = {
  'package.json': JSON.stringify({
    name: 'books',
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts' }, './package.json': './package.json' },
    bin: { books: './dist/main.js' },
    schematics: './collection.json',
  }),
  'collection.json': JSON.stringify({ schematics: { shelf: {} } }),
  'dist/index.d.ts': `export * from './library.js';\nexport type { Shelf } from './shelf.js';\nexport { Buffer as Scan } from 'node:buffer';\n`,
  'dist/library.d.ts': LIBRARY,
  'dist/shelf.d.ts': SHELF,
};

const MOVED = {
  ...PACKAGE,
  'dist/index.d.ts': `export type { Shelf } from './rooms/shelf.js';\nexport * from './rooms/library.js';\nexport { Buffer as Scan } from 'node:buffer';\n`,
  'dist/library.d.ts': '',
  'dist/shelf.d.ts': '',
  'dist/rooms/library.d.ts': LIBRARY.replace('{ Shelf }', 'type { Shelf }').replace(
    'write(line: string)',
    'append(line: string)',
  ),
  'dist/rooms/shelf.d.ts': SHELF.replace('/** What stands where. */', ''),
};

const CHANGED = {
  ...PACKAGE,
  'package.json': PACKAGE['package.json'].replace(
    '"./package.json"',
    '"./readers": { "types": "./dist/shelf.d.ts" }, "./package.json"',
  ),
  'collection.json': JSON.stringify({ schematics: { bookcase: {} } }),
  'dist/library.d.ts': `${LIBRARY}export declare function close(): void;\n`
    .replace('days: number', 'days?: number')
    .replace('export type Days = number;\n', '')
    .replace('protected find', 'protected seek')
    .replace('name: string', 'place: string')
    .replace('copy: number', 'copy: string'),
  'dist/shelf.d.ts': SHELF.replace('title: string', 'title?: string').replace(
    '/** @deprecated Ask a shelf. */',
    '',
  ),
};

const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-surface-spec-'));
const reports = join(folder, 'reports');

function runTool(files: Record<string, string>, ...options: string[]) {
  const place = mkdtempSync(join(folder, 'package-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  const program = join(ROOT, 'tools/surface/main.js');
  return spawnSync(process.execPath, [program, place, reports, ...options], { encoding: 'utf8' });
}

const readReport = (name: string) => readFileSync(join(reports, `${name}.md`), 'utf8');

afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  const { status, stderr } = runTool(PACKAGE);
  if (status !== 0) throw new Error(stderr);
}, 60_000);

describe('The report of an entry', () => {
  it('shows constructors, protected members and every overload, and nothing private', () => {
    expect(readReport('index')).toContain(`export class Library {
  constructor(ledger: Ledger, name: string);
  protected find(title: string): Shelf | undefined;
  lend(title: string): void;
  lend(title: string, days: number): void;
}`);
  });

  it('marks what is deprecated, and has no other comment', () => {
    expect(readReport('index').match(/^ *\/\/.*\n.*$/gm)).toEqual(['  // @deprecated\n  count(): number;']);
  });

  it('shows what exports refer to apart from them', () => {
    const [, exported, mentioned] = readReport('index').split('\n## ');
    expect(exported?.match(/^export .*$/gm)).toEqual([
      'export type Days = number;',
      'export class LentError extends Error {',
      'export class Library {',
      'export const OPENING_HOURS: readonly string[];',
      'export { Scan };',
      'export interface Shelf {',
    ]);
    expect(mentioned?.match(/^\w+ \w+ \{/gm)).toEqual(['interface Book {', 'interface Fault {']);
  });
});

describe('The report of names', () => {
  it('lists entries, programs and schematics', () => {
    expect(readReport('names').match(/`.*`$/gm)).toEqual([
      '`books`',
      '`books/package.json`',
      '`books`',
      '`shelf`',
    ]);
  });
});

describe('The check of the public surface', () => {
  it('finds no difference where declarations move, or change where nobody sees it', () => {
    const { status, stderr } = runTool(MOVED, '--check');
    expect(stderr).toBe('');
    expect(status).toBe(0);
  }, 60_000);

  describe('of a changed package', () => {
    let outcome: ReturnType<typeof runTool>;
    beforeAll(() => {
      outcome = runTool(CHANGED, '--check');
    }, 60_000);

    it.each([
      ['an added export', ['+export function close(): void;']],
      ['a removed export', ['-export type Days = number;']],
      [
        'a changed overload',
        ['-  lend(title: string, days: number): void;', '+  lend(title: string, days?: number): void;'],
      ],
      [
        'a changed constructor',
        ['-  constructor(ledger: Ledger, name: string);', '+  constructor(ledger: Ledger, place: string);'],
      ],
      [
        'a renamed protected member',
        [
          '-  protected find(title: string): Shelf | undefined;',
          '+  protected seek(title: string): Shelf | undefined;',
        ],
      ],
      [
        'a changed type that an export refers to',
        ['-  readonly title: string;', '+  readonly title?: string;'],
      ],
      ['a changed type that an error takes', ['-  readonly copy: number;', '+  readonly copy: string;']],
      ['a deprecation that ends', ['-  // @deprecated']],
      ['an added entry', ['+- `books/readers`', '+# `books/readers`']],
      ['a renamed schematic', ['-- `shelf`', '+- `bookcase`']],
    ])('shows %s (WAY-03)', (_change, lines) => {
      expect(outcome.stderr.split('\n')).toEqual(expect.arrayContaining(lines));
    });

    it('fails, and names the command that renews the report (WAY-03)', () => {
      expect(outcome.status).toBe(1);
      expect(outcome.stderr).toContain('run "npm run surface"');
    });
  });
});

describe('The reports of this package', () => {
  it('are there for each entry that has types (WAY-03)', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      exports: Record<string, string | object>;
    };
    const entries = Object.keys(exports).filter((entry) => typeof exports[entry] === 'object');
    const names = entries.map((entry) => (entry === '.' ? 'index' : entry.slice(2)));
    expect(names.filter((name) => !existsSync(join(ROOT, `test/surface/${name}.md`)))).toEqual([]);
    expect(names.length).toBeGreaterThan(3);
  });
});
