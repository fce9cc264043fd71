import { readdirSync, readFileSync } from 'node:fs';
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
