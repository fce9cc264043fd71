import { constants } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { isMissing } from './is-missing.js';

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
