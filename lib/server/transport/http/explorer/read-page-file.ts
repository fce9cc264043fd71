import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Finds the file of the page, which is beside the code of the installed package. In a bundled application, the place of
 * the package and of the file itself may be unknown. Then there is no page.
 */
export function findPageFile(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('nestjs-mcp/package.json');
    return join(dirname(manifest), 'dist', 'explorer', 'page.html');
  } catch {
    return undefined;
  }
}

/**
 * Reads the file of the page; gives nothing if there is none.
 *
 * @throws {Error} if it is there and cannot be read
 */
export async function readPageFile(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
