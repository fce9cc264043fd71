import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A folder of `lib` with what its row in `docs/architecture.md` allows. */
export interface Layer {
  folder: string;
  imports: Set<string>;
  typesOnly: boolean;
  nest: boolean;
  rxjs: boolean;
}

interface Row {
  level: string;
  folders: string[];
  imports: string;
  nest: boolean;
  rxjs: boolean;
}

/** Reads the table of layers from the page that explains it. */
export function parseLayerTable(): Layer[] {
  const page = readFileSync(`${ROOT}/docs/architecture.md`, 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => /^\| *(\d|side) *\|/.test(line))
    .map(parseRow);
  return rows.flatMap((row) =>
    row.folders.map((folder) => ({
      folder,
      imports: selectFolders(row, rows),
      typesOnly: row.imports.startsWith('types of'),
      nest: row.nest,
      rxjs: row.rxjs,
    })),
  );
}

function parseRow(line: string): Row {
  const [, level = '', folder = '', , imports = '', nest, rxjs] = line.split('|').map((cell) => cell.trim());
  return { level, folders: findNames(folder), imports, nest: nest === 'yes', rxjs: rxjs === 'yes' };
}

function findNames(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name));
}

function selectFolders(row: Row, rows: Row[]): Set<string> {
  const [, from, to = from] = /^(\d)(?:–(\d))?/.exec(row.imports) ?? [];
  const levels = from === undefined ? [] : rows.filter(({ level }) => level >= from && level <= String(to));
  const siblings = row.imports.includes('one another') ? row.folders : [];
  return new Set([...levels.flatMap(({ folders }) => folders), ...findNames(row.imports), ...siblings]);
}
