import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The folders of sources whose figures are limited together. */
const ROOTS = ['lib', 'cli', 'explorer'];
const FILE = /\.tsx?$/;
const FEWEST_PARTS = 8;
/** Files with fewer lines that only a neighbor imports might be a part of it. */
const MOST_LINES_OF_A_PART = 60;

/**
 * Reads every source.
 *
 * @param {string} root the folder of the repository
 * @returns {{ path: string, room: string, lines: number, imports: string[], constructors: number[] }[]}
 */
export function readSources(root) {
  return ROOTS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => FILE.test(name) && !/(^|\/)(dist|node_modules)\//.test(name))
      .map((name) => readSource(root, join(folder, name))),
  );
}

function readSource(root, path) {
  const text = readFileSync(join(root, path), 'utf8');
  const code = text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const [first, second = ''] = path.split('/');
  return {
    path,
    room: first === 'lib' && second.includes('.') ? 'lib' : first === 'lib' ? second : first,
    lines: code.split('\n').filter((line) => line.trim() !== '').length,
    imports: findImports(code, path, root),
    constructors: countParts(code),
  };
}

function findImports(code, path, root) {
  return [...code.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, name]) => {
    const file = join(root, dirname(path), name);
    return relative(root, file).replace(/\.js$/, '');
  });
}

/** Counts the parameters of each constructor. */
function countParts(code) {
  return [...code.matchAll(/^ {2}(?:private |protected )?constructor\(([^]*?)\) \{/gm)].map(
    ([, parameters]) => (parameters.match(/(?:^|[,(\s])(?:readonly )?\w+\??: /g) ?? []).length,
  );
}

/** Counts constructors that take many parts. */
export function countLargeConstructors(sources) {
  return sources.flatMap(({ constructors }) => constructors).filter((parts) => parts >= FEWEST_PARTS).length;
}

/** Lists short files that one file of the same folder imports, and nothing else. */
export function findSingleParts(sources) {
  const importers = new Map();
  for (const { path, imports } of sources)
    for (const name of new Set(imports)) importers.set(name, [...(importers.get(name) ?? []), path]);
  return sources.filter(({ path, lines }) => {
    const [importer, ...others] = importers.get(path.replace(FILE, '')) ?? [];
    const isAlone = importer !== undefined && others.length === 0 && dirname(importer) === dirname(path);
    return isAlone && lines < MOST_LINES_OF_A_PART;
  });
}
