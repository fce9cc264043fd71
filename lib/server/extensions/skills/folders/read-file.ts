import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
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
    if ((await realpath(location)) !== location) return undefined;
    const file = await open(location, FLAGS);
    try {
      return await read(file, mostBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
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
