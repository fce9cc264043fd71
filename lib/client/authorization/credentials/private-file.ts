import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CredentialStoreError } from './credential-store.js';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Many times the size of one server's credentials. */
const LONGEST_FILE_BYTES = 1024 * 1024;

/** Windows has no such modes and owners. There, files in a user's own folder belong to that user. */
const HAS_MODES = process.platform !== 'win32';

/**
 * Creates a folder that only its owner can use.
 *
 * @throws {CredentialStoreError} if other users can write into an existing folder
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!HAS_MODES) return;
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const { mode, uid } = await handle.stat();
    assertOwn(folder, uid);
    if ((mode & OTHERS_WRITE) === 0) return;
  } finally {
    await handle.close();
  }
  throw CredentialStoreError.unsafe(folder, 'is writable by other users', `run "chmod 700" on it`);
}

/**
 * Reads a file that only its owner can use. Returns `undefined` if there is none.
 *
 * @throws {CredentialStoreError} if other users may read it, or it is not a regular file
 */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  const handle = await openWithoutLinks(path);
  if (handle === undefined) return undefined;
  try {
    const { mode, uid, size } = await handle.stat();
    if (HAS_MODES) assertOwn(path, uid);
    if (HAS_MODES && (mode & OTHERS) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0');
      throw CredentialStoreError.unsafe(
        path,
        `must be readable only by its owner, but has mode ${shown}`,
        'remove it and log in again, because anyone who has read it can use its credentials',
      );
    }
    return size > LONGEST_FILE_BYTES ? '' : await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file that only its owner can use. Readers see either the earlier content or the complete new content. A
 * write that fails leaves nothing behind.
 */
export async function writePrivateFile(path: string, temporary: string, text: string): Promise<void> {
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await writeWhole(handle, text);
    await rename(temporary, path);
  } catch (error) {
    // It may contain tokens. If it cannot be removed now, the next write removes it.
    await removeFile(temporary).catch(() => undefined);
    throw error;
  }
  if (HAS_MODES) await syncFolder(dirname(path));
}

/** Removes a file; does nothing if there is none. */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Returns whether a file system error means that the file does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function writeWhole(handle: FileHandle, text: string): Promise<void> {
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openWithoutLinks(path: string): Promise<FileHandle | undefined> {
  try {
    const found = await lstat(path);
    if (!found.isFile()) {
      const kind = found.isSymbolicLink() ? 'is a symbolic link' : 'is not a file';
      throw CredentialStoreError.unsafe(path, `must be a regular file, but ${kind}`, 'remove it');
    }
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function assertOwn(path: string, uid: number): void {
  if (uid === process.geteuid?.()) return;
  throw CredentialStoreError.unsafe(
    path,
    'belongs to another user',
    'use your own folder, or change the owner of this one',
  );
}

/** Makes the rename durable, even across a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
