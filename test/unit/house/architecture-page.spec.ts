import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './layer-table.js';

const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

/** Reads what the rows below a heading name first, up to the next heading. */
function readFolders(heading: string): readonly string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, folder = '']) => folder);
}

function listFolders(path: string): readonly string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${path}/${entry.name}`);
}

describe('The table of programs and tests', () => {
  it('has every folder of "test" once, and no other', () => {
    const folders = readFolders('Programs and tests');
    const ofTests = folders.filter((folder) => folder.startsWith('test/'));
    expect(ofTests.toSorted()).toEqual(listFolders('test').toSorted());
  });
});

describe('The picture of the rooms', () => {
  const picture = readFileSync(join(ROOT, 'docs/images/rooms.svg'), 'utf8');
  const words = new Set(picture.match(/[\w.-]+/g));

  it('has every room, and every folder of those that have some', () => {
    const rooms = [...listFolders('lib'), 'cli', 'explorer'];
    const folders = ['core', 'server', 'client'].flatMap((room) => listFolders(`lib/${room}`));
    expect([...rooms, ...folders].filter((path) => !words.has(basename(path)))).toEqual([]);
  });
});

/** The code of the package, the command line and the explorer by path, without comments, which may name what is gone. */
const sources = new Map(
  ['lib', 'cli', 'explorer'].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [`/${room}/${path}`, stripComments(readFileSync(join(ROOT, room, path), 'utf8'))]),
  ),
);

function stripComments(code: string): string {
  return code.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/gm, '');
}

/** Lists the files at a path, of which the page may omit the beginning. */
function findFiles(path: string): readonly string[] {
  return [...sources.keys()].filter((known) => known.endsWith(`/${path}`));
}

function isSomewhere(pattern: RegExp): boolean {
  return [...sources.values()].some((code) => pattern.test(code));
}

/** Returns whether the code has a class, and in its file the member that the page names after a dot. */
function isKnownClass(name: string): boolean {
  const [type = '', member = ''] = name.split('.');
  if (member === '') return isSomewhere(new RegExp(String.raw`\b${type}\b`));
  const declaration = new RegExp(String.raw`\b(?:class|interface) ${type}\b`);
  return [...sources.values()].some(
    (code) => declaration.test(code) && new RegExp(String.raw`\b${member}\b`).test(code),
  );
}

describe('The names on the page', () => {
  // The last section is about tests and tools, whose names are those of Node and jest.
  const [ofCode = ''] = page.split('\n## Programs and tests\n');
  const quoted = [...new Set([...ofCode.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name))];

  it('are files that exist', () => {
    const files = quoted.filter((name) => /^[\w./-]+\.tsx?$/.test(name));
    const missing = files.filter((name) => findFiles(name).length === 0 && !existsSync(join(ROOT, name)));
    expect(missing).toEqual([]);
  });

  it('are functions that exist', () => {
    const functions = quoted.flatMap((name) => /^(\w+)\(\)$/.exec(name)?.[1] ?? []);
    expect(functions.filter((name) => !isSomewhere(new RegExp(String.raw`\b${name}\b`)))).toEqual([]);
  });

  it('are classes that exist, with their members', () => {
    const classes = quoted.filter((name) => /^[A-Z][a-z]+[A-Z]\w*(?:\.\w+)?$/.test(name));
    expect(classes.filter((name) => !isKnownClass(name))).toEqual([]);
  });

  it('stand beside the file that declares them, in "Find where it happens"', () => {
    const [, section = ''] = page.split('\n## Find where it happens\n');
    const [tables = ''] = section.split('\n## ');
    const rows = [...tables.matchAll(/^\|[^|]+\| `([^`]+\.ts)` +\| `(\w+)/gm)];
    expect(rows.length).toBeGreaterThan(20);
    const misplaced = rows.filter(([, file = '', name = '']) => {
      const declaration = new RegExp(String.raw`\b(?:class|interface|function) ${name}\b`);
      return !declaration.test(sources.get(`/lib/server/${file}`) ?? '');
    });
    expect(misplaced.map(([row]) => row)).toEqual([]);
  });
});

describe('The picture of the request flow', () => {
  it('has names of folders', () => {
    const picture = readFileSync(join(ROOT, 'docs/images/architecture.svg'), 'utf8');
    const boxes = [...picture.matchAll(/class="room".*\n<text class="name"[^>]*>([^<]+)</g)];
    const folders = listFolders('lib/server').map((path) => basename(path));
    const unknown = boxes.map(([, name = '']) => name).filter((name) => !folders.includes(name));
    expect(unknown).toEqual(['core and settings']);
  });
});
