import { constants } from 'node:fs';
import { access, readdir, realpath, stat, open, readlink, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A file found by the scan. */
export interface FoundFile {
  /** The real path, without symbolic links. */
  readonly location: string;
  readonly size: number;
  /** Changes when the file changes. */
  readonly stamp: string;
}

/** A folder found by the scan. */
interface FoundFolder {
  /** The real path, without symbolic links. */
  readonly location: string;
}

/** The files and folders below a folder. */
export interface FoundTree {
  /** The files, by path with `/` as the separator. */
  readonly files: ReadonlyMap<string, FoundFile>;
  /** The folders, by path; the folder itself has an empty path. */
  readonly folders: ReadonlyMap<string, FoundFolder>;
  /** The paths that were skipped: links that point outside or to hidden files, sockets and so on. */
  readonly skipped: readonly string[];
}

/** A scan's limits. A larger folder is most likely a mistake. */
export interface TreeLimits {
  readonly entries: number;
  readonly depth: number;
  /** Real paths of nested folders that are served separately. @default none */
  readonly others?: readonly string[];
}

/** Names that are skipped. Hidden files may contain secrets, and models do not read packages. */
const SKIPPED = /^(?:\.|node_modules$)/i;

/** The folder in which Kubernetes mounts a version of a volume; links to its files are next to it. */
const VOLUME_VERSION = /^\.\.\d{4}(?:_\d\d){5}\.\d+$/;

/** Thrown if a folder exceeds a scan's limits. */
export class TreeTooLargeError extends Error {
  override readonly name = 'TreeTooLargeError';
}

/**
 * Scans a folder. Symbolic links are followed only to files and folders in the same tree. Throws on unreadable files.
 *
 * @param folder the real path, without symbolic links
 * @throws {TreeTooLargeError} if the folder exceeds the limits
 */
export async function scanFolder(folder: string, limits: TreeLimits): Promise<FoundTree> {
  const scan = new Scan(folder, limits);
  await scan.enter('', { location: folder });
  const { files, folders, skipped } = scan;
  return { files, folders, skipped };
}

class Scan {
  readonly files = new Map<string, FoundFile>();
  readonly folders = new Map<string, FoundFolder>();
  readonly skipped: string[] = [];
  #entries = 0;

  constructor(
    private readonly base: string,
    private readonly limits: TreeLimits,
  ) {}

  /** @param above the real paths of the parent folders, to detect link cycles */
  async enter(path: string, folder: FoundFolder, above: readonly string[] = []): Promise<void> {
    if (above.length > this.limits.depth) {
      throw new TreeTooLargeError(`it has more than ${this.limits.depth} nested folders`);
    }
    this.folders.set(path, folder);
    const way = [...above, folder.location];
    const names = (await readdir(folder.location)).filter((name) => !SKIPPED.test(name)).toSorted();
    for (const name of names) {
      this.#count();
      await this.#note(path === '' ? name : `${path}/${name}`, join(folder.location, name), way);
    }
  }

  async #note(path: string, found: string, way: readonly string[]): Promise<void> {
    const location = await realpath(found).catch(ignoreMissing);
    if (location !== undefined && this.#belongsToOther(location)) return;
    const isPart = location !== undefined && this.#isPart(location) && !way.includes(location);
    if (!isPart) return void this.skipped.push(path);
    const stats = await stat(location);
    const { size, mtimeMs, ino: inode } = stats;
    if (stats.isDirectory()) return this.enter(path, { location }, way);
    if (!stats.isFile()) return void this.skipped.push(path);
    await access(location, constants.R_OK);
    this.files.set(path, { location, size, stamp: `${size} ${mtimeMs} ${inode} ${location}` });
  }

  /** Returns whether a location is below the folder, without a skipped name in its path. */
  #isPart(location: string): boolean {
    if (!isWithin(location, this.base)) return false;
    const names = location.slice(this.base.length + 1).split(sep);
    return names.every((name) => !SKIPPED.test(name) || VOLUME_VERSION.test(name));
  }

  /** Returns whether a location belongs to a folder that is served separately. */
  #belongsToOther(location: string): boolean {
    const { others = [] } = this.limits;
    return others.some(
      (other) => isWithin(other, this.base) && other !== this.base && isWithin(location, other),
    );
  }

  #count(): void {
    this.#entries += 1;
    if (this.#entries <= this.limits.entries) return;
    throw new TreeTooLargeError(`it has more than ${this.limits.entries} files and folders`);
  }
}

function isWithin(location: string, folder: string): boolean {
  return location === folder || location.startsWith(`${folder}${sep}`);
}

/** Ignores a dangling link. */
function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

/** Neither follow a link that replaced the file, nor block on a pipe. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a skill's file. Returns `undefined` if the file is gone, is too long, or was replaced.
 *
 * @param location the real path, without symbolic links
 * @param mostBytes the maximum size to read
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
 * Returns whether an open file is the one at a location, because a parent folder may have been replaced by a link
 * while it was opened. On Linux, `/proc` shows the real path even if the link is gone again.
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
  // One extra byte detects a file that grows while it is read.
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

/** Returns whether a file system error means that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && MISSING.has((error as NodeJS.ErrnoException).code);
}
