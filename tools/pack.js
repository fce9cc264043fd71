import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/**
 * Finds the packed package: the file that the command line names, or one that is packed for it. Packing builds everything again, which
 * must not happen while something else runs what is built.
 *
 * @param folder where it is packed to; it is empty
 */
export function findPackage(folder) {
  const [named] = process.argv.slice(2);
  if (named !== undefined) return resolve(named);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [file] = readdirSync(folder);
  return join(folder, file);
}
