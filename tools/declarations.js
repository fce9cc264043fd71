/** Rolls the declarations that the compiler wrote into one file for each entry that has types. */
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { shareDeclarations } from './share-declarations.js';
import { rollUpEntries } from './surface/api-extractor.js';

const ROOT = join(import.meta.dirname, '..');
const MODULES = join(ROOT, '.build/lib');

/** The rolled files are a quarter of what is installed. */
const INDENTATION = /^(?: {4})+/gm;

/** What API Extractor leaves out. */
const GLOBALS = /^declare global \{\n[^]*?^\}\n/gm;

/**
 * Applications that check the declarations of their packages (`skipLibCheck: false`) may lack an optional package: what a declaration takes
 * from there is `any` to them then. Each import is marked, so that nothing else is let through.
 */
const MARK = '// @ts-ignore: the package is optional';

const { exports, peerDependenciesMeta } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const OPTIONAL = Object.keys(peerDependenciesMeta)
  .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  .join('|');
const IMPORT = new RegExp(`^import .* from '(?:${OPTIONAL})(?:/[^']*)?';$`, 'gm');

const files = new Map(
  Object.values(exports)
    .flatMap(({ types }) => types ?? [])
    .map((types) => [join(MODULES, types.replace('./dist/', '')), join(ROOT, types)]),
);
if ([...files.values()].some(isOutdated)) {
  for (const file of files.values()) mkdirSync(dirname(file), { recursive: true });
  rollUpEntries(ROOT, files);
  const main = join(ROOT, exports['.'].types);
  const rolledMain = readFileSync(main, 'utf8');
  for (const [source, file] of files) {
    const rolled =
      file === main ? rolledMain : shareDeclarations(rolledMain, readFileSync(file, 'utf8'), findMain(file));
    const marked = rolled.replaceAll(IMPORT, `${MARK}\n$&`);
    const text = [marked, ...readGlobals(dirname(source))].join('\n');
    writeFileSync(
      file,
      text.replace(INDENTATION, (spaces) => '\t'.repeat(spaces.length / 4)),
    );
  }
}

function findMain(file) {
  return `${relative(dirname(file), join(ROOT, 'dist'))}/index.js`;
}

function isOutdated(file) {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  const inputs = [
    join(ROOT, '.build/modules.tsbuildinfo'),
    join(ROOT, 'package.json'),
    join(import.meta.dirname, 'share-declarations.js'),
    import.meta.filename,
  ];
  return inputs.some((input) => statSync(input).mtimeMs > mtimeMs);
}

function readGlobals(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').match(GLOBALS) ?? []);
}
