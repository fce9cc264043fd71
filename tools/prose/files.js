import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What people read: pages, and what the sources say in comments, docstrings and texts. */
const PLACES = [
  { folder: '.', isDeep: false, ending: /\.md$/ },
  { folder: '.github', isDeep: true, ending: /\.md$/ },
  { folder: 'docs', isDeep: true, ending: /\.md$/ },
  { folder: 'sample', isDeep: true, ending: /\.md$/ },
  { folder: 'lib', isDeep: true, ending: /\.tsx?$/ },
  { folder: 'cli', isDeep: true, ending: /\.tsx?$/ },
  { folder: 'explorer', isDeep: true, ending: /\.tsx?$/ },
];

/** Lists the files below a folder whose prose is checked, from there. */
export function listProseFiles(root) {
  return PLACES.flatMap(({ folder, isDeep, ending }) =>
    readFolder(join(root, folder), isDeep)
      .filter((name) => ending.test(name))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
  ).toSorted();
}

function readFolder(path, isDeep) {
  try {
    return readdirSync(path, { recursive: isDeep, encoding: 'utf8' });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
