import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import {
  access,
  chmod,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeVisible } from '../visible-text.js';

/** Thrown if a client's configuration cannot be changed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** The file may contain secrets. */
const OWNER_ALONE = 0o600;

/** Writes a file atomically, and preserves its mode and owner. Only its owner can read a new file. */
async function writeWhole(path: string, text: string): Promise<void> {
  const present = await findStats(path);
  // A new file would have a different owner, or would break hard links.
  if (present !== undefined && !isReplaceable(present)) return writeFile(path, text);
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: OWNER_ALONE });
    if (present !== undefined) await chmod(temporary, present.mode & 0o777);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

function isReplaceable({ nlink, uid, gid }: Stats): boolean {
  const isOurs = uid === (process.getuid?.() ?? uid) && gid === (process.getgid?.() ?? gid);
  return isOurs && nlink === 1;
}

async function findStats(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A file's content. */
export interface Content {
  /** Its decoded content, without a byte order mark; empty if there is no file. */
  readonly text: string;
  /** Its bytes; absent if there is no file. */
  readonly bytes: Buffer | undefined;
}

/** The byte order mark that editors on Windows write. */
const MARK = '\u{feff}';

/** The content of a file that must not be removed. */
const NOTHING = '{}\n';

/** The maximum number of symbolic links to follow, as in file systems. */
const MOST_LINKS = 40;

/** The configuration file of a client. */
export class ConfigurationFile {
  constructor(readonly path: string) {}

  /** @throws {ConfigurationError} if it cannot be read, or is not UTF-8 */
  async read(): Promise<Content> {
    const bytes = await this.#readBytes();
    return { bytes, text: bytes === undefined ? '' : decode(this.path, bytes) };
  }

  /**
   * Writes the content, or removes the file if the content is empty. The client sees either the old or the new file,
   * never a partial one. Links to the file, its byte order mark and its mode are preserved.
   *
   * @throws {ConfigurationError} if it has changed since it was read, or cannot be written
   */
  async replace({ bytes }: Content, text: string): Promise<void> {
    const found = await this.#readBytes();
    if (!(bytes === undefined ? found === undefined : found?.equals(bytes))) {
      throw new ConfigurationError(
        'The file was changed by another program, so nothing was written: try again',
      );
    }
    const isMarked = bytes?.toString('utf8').startsWith(MARK) === true;
    try {
      const path = await followLinks(this.path);
      if (bytes === undefined) await mkdir(dirname(path), { recursive: true });
      else await assertWritable(path);
      // A symbolic link is preserved.
      if (text === '' && path === resolve(this.path)) await unlink(path);
      else await writeWhole(path, (isMarked ? MARK : '') + (text === '' ? NOTHING : text));
    } catch (error) {
      throw explain(this.path, error);
    }
  }

  async #readBytes(): Promise<Buffer | undefined> {
    try {
      // Devices and pipes may never end, and must not be replaced.
      if (!(await stat(this.path)).isFile()) {
        throw new ConfigurationError(`"${makeVisible(this.path)}" is not a regular file`);
      }
      return await readFile(this.path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw explain(this.path, error);
    }
  }
}

/** A file in a different encoding would be damaged. */
function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigurationError(
      `"${makeVisible(path)}" is not encoded in UTF-8: convert it first, with or without a byte order mark`,
      { cause },
    );
  }
}

/** Resolves symbolic links, including links to a file that does not exist yet. */
async function followLinks(path: string): Promise<string> {
  let place = resolve(path);
  for (let count = 0; count < MOST_LINKS && (await isLink(place)); count += 1) {
    place = resolve(dirname(place), await readlink(place));
  }
  return place;
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A read-only file could be replaced, but its owner protected it intentionally. */
async function assertWritable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o222) === 0) {
    throw new ConfigurationError(
      `"${makeVisible(path)}" is read-only, so nothing was written: make it writable first`,
    );
  }
  await access(path, constants.W_OK);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function explain(path: string, cause: unknown): ConfigurationError {
  if (cause instanceof ConfigurationError) return cause;
  const { code = String(cause) } = cause as NodeJS.ErrnoException;
  return new ConfigurationError(`"${makeVisible(path)}" cannot be read or written (${code})`, { cause });
}
