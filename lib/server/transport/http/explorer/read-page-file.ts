import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Reads the file of the page, which is beside the code of the installed package.
 *
 * @throws {Error} when the package is not installed, as in an application that is one file
 */
export function readPageFile(): Promise<string> {
  return readFile(findPageFile(), 'utf8');
}

function findPageFile(): string {
  const manifest = createRequire(import.meta.url).resolve('nestjs-mcp/package.json');
  return join(dirname(manifest), 'dist', 'explorer', 'page.html');
}
