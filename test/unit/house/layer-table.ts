import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A room with the rooms that its row in `docs/architecture.md` allows. */
export interface Room {
  room: string;
  imports: string[];
}

/** A folder with what its row in `docs/architecture.md` allows. */
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

/** Tables of the page by their headings, and the room whose folders their rows name. */
const TABLES = [
  { heading: '### Inside `core`', room: 'core' },
  { heading: '### Inside `server`', room: 'server' },
  { heading: '### Inside `client`', room: 'client' },
  { heading: '### The other rooms', room: '.' },
];

/** Gives the path of a folder of the tables: those of the command line and of the page are beside `lib`. */
export function pathOf(folder: string): string {
  return /^(?:cli|explorer)(?:\/|$)/.test(folder) ? folder : posix.join('lib', folder);
}

/** Reads which room may import which from the page that explains it. */
export function parseRooms(): Room[] {
  return readRows('## The rooms').map(([room = '', , imports = '']) => ({
    room: String(findNames(room)[0]),
    imports: findNames(imports),
  }));
}

/** Reads the tables of layers from the page that explains them. */
export function parseLayerTables(): Layer[] {
  const rows = TABLES.flatMap(({ heading, room }) => readRows(heading).map((cells) => parseRow(cells, room)));
  const known = rows.flatMap(({ folders }) => folders);
  return rows.flatMap((row) =>
    row.folders.map((folder) => ({
      folder,
      imports: selectFolders(row, rows, known),
      typesOnly: row.imports.startsWith('types of'),
      nest: row.nest,
      rxjs: row.rxjs,
    })),
  );
}

/** Gives the cells of the first table behind a heading, without its head. */
function readRows(heading: string): string[][] {
  const page = readFileSync(`${ROOT}/docs/architecture.md`, 'utf8');
  const [, section = ''] = page.split(`\n${heading}\n`);
  const [table = ''] = section.split(/\n#+ /);
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  if (lines.length < 3) throw new Error(`"docs/architecture.md" has no table below "${heading}"`);
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function parseRow(cells: string[], room: string): Row {
  const [level = '', folder = '', , imports = '', nest, rxjs] = cells.length === 6 ? cells : ['', ...cells];
  const folders = findNames(folder).map((name) => posix.join(room, name));
  return { level, folders, imports, nest: nest === 'yes', rxjs: rxjs === 'yes' };
}

function findNames(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name));
}

/** A name in a row is a folder of its own room, or one of `lib`. */
function selectFolders(row: Row, rows: Row[], known: string[]): Set<string> {
  const [room = ''] = row.folders[0]?.split('/') ?? [];
  const named = findNames(row.imports).map(
    (name) => known.find((folder) => folder === `${room}/${name}`) ?? name,
  );
  const whole = known.filter((folder) => isNamedWhole(folder, row));
  const siblings = row.imports.includes('one another') ? row.folders : [];
  return new Set([
    ...selectLevels(row, rows),
    ...named.filter((name) => known.includes(name)),
    ...whole,
    ...siblings,
  ]);
}

function selectLevels(row: Row, rows: Row[]): string[] {
  const [, from, to = from] = /^(\d+)(?:–(\d+))?/.exec(row.imports) ?? [];
  if (from === undefined) return [];
  const isWithin = ({ level }: Row): boolean =>
    level !== '' && Number(level) >= Number(from) && Number(level) <= Number(to);
  return rows.filter(isWithin).flatMap(({ folders }) => folders);
}

/** What stands on a level of `server` may import all of `core`; the entry, all of both. */
function isNamedWhole(folder: string, { level, imports }: Row): boolean {
  if (folder.startsWith('core/')) return level !== '' || imports.includes('all of `core`');
  return folder.startsWith('server/') && imports.includes('`server` and all inside it');
}
