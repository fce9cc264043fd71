import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PACKAGES } from './entries.js';

const ROOT = join(import.meta.dirname, '..');

/**
 * Finds the packed packages: the files that are named, or those that are packed for it. Packing builds everything again, which must not
 * happen while something else runs what is built.
 *
 * @param {string} folder where they are packed to; it is empty
 * @param {string[]} named files that are packed already, in any order
 * @returns {{ server: string, cli: string }} the files
 */
export function findPackages(folder, named = []) {
  const files = named.length > 0 ? named.map((file) => resolve(file)) : pack(folder);
  const cli = files.find((file) => file.includes('nestjs-mcp-cli-'));
  const server = files.find((file) => file !== cli);
  if (cli === undefined || server === undefined)
    throw new Error('The files of both packages are needed: "nestjs-mcp" and "nestjs-mcp-cli"');
  return { server, cli };
}

function pack(folder) {
  const folders = PACKAGES.map((one) => `./${one.folder}`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...folders], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return readdirSync(folder).map((file) => join(folder, file));
}
