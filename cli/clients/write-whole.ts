import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, rename, stat, unlink, writeFile } from 'node:fs/promises';

/** What is written may hold headers with secrets. */
const OWNER_ALONE = 0o600;

/** Writes a file so that nobody reads half of it, and keeps its mode and owner. Only its owner can read a new file. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const present = await findStats(path);
  // A new file in its place would have another owner, or would break the links to it.
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
