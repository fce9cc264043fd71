import { constants } from 'node:fs';
import { access, readdir, realpath, stat, open, readlink, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A file as it was found. */
export interface FoundFile {
  /** Where it is, with no symbolic link on the way. */
  readonly location: string;
  readonly size: number;
  /** Is another one when the file has changed. */
  readonly stamp: string;
}

/** A folder as it was found. */
interface FoundFolder {
  /** Where it is, with no symbolic link on the way. */
  readonly location: string;
}

/** What is below a folder. */
export interface FoundTree {
  /** The files by their paths, with `/` between folders. */
  readonly files: ReadonlyMap<string, FoundFile>;
  /** The folders by their paths; the folder itself has the empty path. */
  readonly folders: ReadonlyMap<string, FoundFolder>;
  /** The paths of what is left out though it looks like a part: links that lead out or to hidden files, sockets and the like. */
  readonly leftOut: readonly string[];
}

/** Bounds of a folder. A tree with more is not meant to be served. */
export interface TreeBounds {
  readonly entries: number;
  readonly depth: number;
  /** Where the folders are that are no part of this one, with no symbolic link on the way. @default none */
  readonly others?: readonly string[];
}

/** Names that are not part of a skill. Hidden files may hold secrets, and models do not read packages. */
const LEFT_OUT = /^(?:\.|node_modules$)/i;

/** Kubernetes mounts each version of a volume in such a folder, and links to its files beside it. */
const VOLUME_VERSION = /^\.\.\d{4}(?:_\d\d){5}\.\d+$/;

/** A folder has more in it, or deeper, than one that is served may have. */
export class TreeTooLargeError extends Error {
  override readonly name = 'TreeTooLargeError';
}

/**
 * Looks through a folder. Symbolic links are followed as long as they lead to what would be found without them; what is not
 * readable throws.
 *
 * @param folder where it is, with no symbolic link on the way
 * @throws {TreeTooLargeError} if there is more than the bounds allow
 */
export async function scanFolder(folder: string, bounds: TreeBounds): Promise<FoundTree> {
  const scan = new Scan(folder, bounds);
  await scan.enter('', { location: folder });
  return scan;
}

class Scan implements FoundTree {
  readonly files = new Map<string, FoundFile>();
  readonly folders = new Map<string, FoundFolder>();
  readonly leftOut: string[] = [];
  #entries = 0;

  constructor(
    private readonly base: string,
    private readonly bounds: TreeBounds,
  ) {}

  /** @param above where the folders on the way are, so that no link leads round in a circle */
  async enter(path: string, folder: FoundFolder, above: readonly string[] = []): Promise<void> {
    if (above.length > this.bounds.depth) {
      throw new TreeTooLargeError(`it has more than ${this.bounds.depth} nested folders`);
    }
    this.folders.set(path, folder);
    const way = [...above, folder.location];
    const names = (await readdir(folder.location)).filter((name) => !LEFT_OUT.test(name)).toSorted();
    for (const name of names) {
      this.#count();
      await this.#note(path === '' ? name : `${path}/${name}`, join(folder.location, name), way);
    }
  }

  async #note(path: string, found: string, way: readonly string[]): Promise<void> {
    const location = await realpath(found).catch(ignoreMissing);
    if (location !== undefined && this.#isOfAnother(location)) return;
    const isPart = location !== undefined && this.#isPart(location) && !way.includes(location);
    if (!isPart) return void this.leftOut.push(path);
    const stats = await stat(location);
    const { size, mtimeMs, ino: inode } = stats;
    if (stats.isDirectory()) return this.enter(path, { location }, way);
    if (!stats.isFile()) return void this.leftOut.push(path);
    await access(location, constants.R_OK);
    this.files.set(path, { location, size, stamp: `${size} ${mtimeMs} ${inode} ${location}` });
  }

  /** Tells whether a location is below the folder, with no name on the way that is left out. */
  #isPart(location: string): boolean {
    if (!isWithin(location, this.base)) return false;
    const names = location.slice(this.base.length + 1).split(sep);
    return names.every((name) => !LEFT_OUT.test(name) || VOLUME_VERSION.test(name));
  }

  /** A link to a parent folder leads to no new folder. */
  #isOfAnother(location: string): boolean {
    const { others = [] } = this.bounds;
    return others.some(
      (other) => isWithin(other, this.base) && other !== this.base && isWithin(location, other),
    );
  }

  #count(): void {
    this.#entries += 1;
    if (this.#entries <= this.bounds.entries) return;
    throw new TreeTooLargeError(`it has more than ${this.bounds.entries} files and folders`);
  }
}

function isWithin(location: string, folder: string): boolean {
  return location === folder || location.startsWith(`${folder}${sep}`);
}

/** Returns nothing for a link that leads nowhere. */
function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

/** A link that took the file's place is not followed, and a pipe there is not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a file of a skill. Returns `undefined` if the file is gone, has grown too long, or was replaced by something else.
 *
 * @param location where it is, with no symbolic link on the way
 * @param mostBytes is the longest that it may be
 */
export async function readFile(location: string, mostBytes: number): Promise<Uint8Array | undefined> {
  try {
    const file = await open(location, FLAGS);
    try {
      return (await isAt(location, file)) ? await read(file, mostBytes) : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Tells whether an open file is the one at a location. While it was opened, a link on the way may have led elsewhere, and may be
 * gone again. Linux says what is open, so that it is noticed there even then.
 */
async function isAt(location: string, file: FileHandle): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => location);
  if (opened !== location || (await realpath(location)) !== location) return false;
  const [present, own] = await Promise.all([stat(location, { bigint: true }), file.stat({ bigint: true })]);
  return present.dev === own.dev && present.ino === own.ino;
}

async function read(file: FileHandle, mostBytes: number): Promise<Uint8Array | undefined> {
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > mostBytes) return undefined;
  // One byte more shows whether it grows meanwhile.
  const bytes = Buffer.alloc(stats.size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length);
    length += bytesRead;
    if (length === bytes.length) return undefined;
    if (bytesRead === 0) return bytes.subarray(0, length);
  }
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** Tells whether a file or a folder is not there, as an error of the file system says it. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && MISSING.has((error as NodeJS.ErrnoException).code);
}
