import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What a browser takes, in the order of the packages. */
const CONDITIONS = ['browser', 'import', 'default'];

/**
 * Finds the file that a browser is given of a package.
 *
 * @param {string} name the package as imported
 * @param {string} importer the file that imports it
 * @returns {string}
 */
export function resolvePackage(name, importer) {
  const [, packageName, rest] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name);
  const folder = findFolder(packageName, dirname(importer));
  const {
    exports,
    module,
    main = 'index.js',
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const target = exports === undefined ? (module ?? main) : select(find(exports, `.${rest}`));
  if (target === undefined) throw new Error(`"${name}" has nothing for a browser`);
  return join(folder, target);
}

/** A package knows itself by its own name too. */
function findFolder(name, start) {
  for (let folder = start; ; folder = dirname(folder)) {
    const installed = join(folder, 'node_modules', name);
    if (existsSync(join(installed, 'package.json'))) return installed;
    if (folder === resolve(folder, '..')) throw new Error(`"${name}" is not installed`);
  }
}

function find(exports, path) {
  if (typeof exports === 'string') return exports;
  return Object.keys(exports).some((key) => key.startsWith('.')) ? exports[path] : exports;
}

function select(target) {
  if (typeof target === 'string' || target === undefined || target === null) return target ?? undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const found = CONDITIONS.includes(condition) ? select(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
