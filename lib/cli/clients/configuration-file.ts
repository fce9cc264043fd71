import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigurationError } from './configuration.error.js';

/** What is written may hold headers with secrets. */
const OWNER_ALONE = 0o600;

/** The file in which a client keeps its servers. */
export class ConfigurationFile {
  constructor(readonly path: string) {}

  /** Reads it; nothing if there is none. */
  async read(): Promise<string | undefined> {
    try {
      return await readFile(this.path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw explain(this.path, error);
    }
  }

  /**
   * Writes the text, or removes the file if the text is empty. The client sees the file as it was or as it is now, never
   * a half of it; a link to it stays one.
   *
   * @throws {ConfigurationError} if it is no longer as it was read, or cannot be written
   */
  async replace(before: string | undefined, after: string): Promise<void> {
    if ((await this.read()) !== before) {
      throw new ConfigurationError('The file has changed meanwhile, and is left as it is: try once more');
    }
    try {
      if (after === '') await unlink(this.path);
      else await writeWhole(before === undefined ? this.path : await realpath(this.path), after);
    } catch (error) {
      throw explain(this.path, error);
    }
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: await readMode(path) });
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function readMode(path: string): Promise<number> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return OWNER_ALONE;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function explain(path: string, cause: unknown): ConfigurationError {
  const { code = String(cause) } = cause as NodeJS.ErrnoException;
  return new ConfigurationError(`"${path}" cannot be read or written (${code})`, { cause });
}
