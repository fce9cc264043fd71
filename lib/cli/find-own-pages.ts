import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OWN_PAGES } from '../core/package/own-pages.js';

/**
 * Finds the documentation of the package that runs. It is in the application, or in the cache of "npx" if that has fetched the
 * package for this one command.
 *
 * @param folder where the command is called
 * @returns a path that can be opened there
 */
export function findOwnPages(folder: string = process.cwd()): string {
  if (existsSync(join(folder, OWN_PAGES))) return OWN_PAGES;
  return join(dirname(createRequire(import.meta.url).resolve('nestjs-mcp/package.json')), 'docs');
}
