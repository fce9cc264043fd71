import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/**
 * Finds the packed package: the file that is named, or one that is packed for it. Packing builds everything again, which must not happen
 * while something else runs what is built.
 *
 * @param {string} folder where it is packed to; it is empty
 * @param {string | undefined} named a file that is packed already
 * @returns {string} the file
 */
export function findPackage(folder, named) {
  if (named !== undefined) return resolve(named);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [file] = readdirSync(folder);
  return join(folder, file);
}
