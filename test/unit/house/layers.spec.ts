import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, pathOf, parseLayerTables, parseRooms } from './layer-table.js';
import { lint } from './planted-files.js';

const layers = parseLayerTables();
const folders = layers.map(({ folder }) => folder);
const RULE = 'house(layers)';

/** Holds files alone: a folder inside has a row of its own. */
const isFlat = (folder: string) => folder === '.' || folder === 'server';
const fileIn = (folder: string, name: string) => posix.join(pathOf(folder), name);
const keyOf = (folder: string) => (folder === '.' ? 'root' : folder.replaceAll('/', '-'));

function importOf(from: string, to: string, keyword: string): string {
  const path = posix.relative(pathOf(from), fileIn(to, 'subject.js'));
  return `${keyword} { subject } from '${path.startsWith('.') ? path : `./${path}`}';\nexport { subject };\n`;
}

/** One file for each pair of folders, for each folder and each framework, and the subjects they import. */
function plantFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const from of folders) {
    files[fileIn(from, 'subject.ts')] = 'export const subject = 1;\n';
    files[fileIn(from, 'knows-nest.ts')] = `import { Module } from '@nestjs/common';\nexport { Module };\n`;
    files[fileIn(from, 'knows-rxjs.ts')] = `import { map } from 'rxjs/operators';\nexport { map };\n`;
    for (const to of folders) {
      files[fileIn(from, `uses-${keyOf(to)}.ts`)] = importOf(from, to, 'import');
      files[fileIn(from, `types-${keyOf(to)}.ts`)] = importOf(from, to, 'import type');
    }
  }
  return files;
}

describe('The table of rooms', () => {
  const rooms = parseRooms();
  const roomOf = (folder: string) => folder.split('/')[0] ?? folder;

  it('has every room of "lib", and those beside it', () => {
    const built = readdirSync(join(ROOT, 'lib')).filter((name) => name !== 'index.ts');
    expect(rooms.map(({ room }) => room).toSorted()).toEqual([...built, '.', 'cli', 'explorer'].toSorted());
  });

  it.each(rooms)('has what the folders in "$room" may import', ({ room, imports }) => {
    const others = layers
      .filter(({ folder }) => roomOf(folder) === room)
      .flatMap((layer) => [...layer.imports].map(roomOf))
      .filter((other) => other !== room);
    expect(new Set(imports)).toEqual(new Set(others));
  });
});

describe('The tables of layers', () => {
  let refused: Set<string>;

  beforeAll(() => {
    const diagnostics = lint(plantFiles());
    refused = new Set(diagnostics.filter(({ code }) => code === RULE).map(({ filename }) => filename));
  });

  it('has a row for every folder with sources', () => {
    const found = ['lib', 'cli', 'explorer']
      .flatMap((room) => readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => posix.relative(ROOT, entry.parentPath).replace(/^lib(\/|$)/, '') || '.');
    const strangers = found.filter(
      (folder) =>
        !folders.some((known) => known === folder || (!isFlat(known) && folder.startsWith(`${known}/`))),
    );
    expect(strangers).toEqual([]);
  });

  describe.each(layers)('"$folder"', ({ folder, imports, typesOnly, nest, rxjs }) => {
    const others = folders.filter((other) => other !== folder);
    const isRefused = (file: string) => refused.has(fileIn(folder, file));

    it('imports from the folders of its row and from no other', () => {
      const accepted = others.filter((other) => !isRefused(`uses-${keyOf(other)}.ts`));
      expect(accepted).toEqual(others.filter((other) => imports.has(other) && !typesOnly));
    });

    it('imports types from the folders of its row and from no other', () => {
      const accepted = others.filter((other) => !isRefused(`types-${keyOf(other)}.ts`));
      expect(accepted).toEqual(others.filter((other) => imports.has(other)));
    });

    it(`${nest ? 'may know' : 'does not know'} Nest and ${rxjs ? 'may know' : 'does not know'} RxJS`, () => {
      expect(isRefused('knows-nest.ts')).toBe(!nest);
      expect(isRefused('knows-rxjs.ts')).toBe(!rxjs);
    });

    it('imports from itself', () => {
      expect(isRefused(`uses-${keyOf(folder)}.ts`)).toBe(false);
    });
  });
});
