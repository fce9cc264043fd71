import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { ChangedError } from './changed.error.js';
import type { MigrationChange } from './migration-change.js';
import { WriteError } from './write.error.js';

interface Prepared {
  readonly path: string;
  readonly file: string;
  /** The new text, beside the file. */
  readonly after: string;
  /** The file as it was, beside it. */
  readonly before: string;
}

/**
 * Writes all files or none. What each shall be is written beside it first, and takes its place when all are there.
 *
 * @param place puts a file into the place of another
 * @throws {ChangedError} if one is not as it was read any more
 * @throws {WriteError} if one cannot be written; those before it are as they were
 */
export function writeTogether(
  folder: string,
  changes: readonly MigrationChange[],
  place: (from: string, to: string) => void = renameSync,
): void {
  const prepared: Prepared[] = [];
  const placed: Prepared[] = [];
  let lost: readonly Prepared[] = [];
  let current = '';
  assertUnchanged(folder, changes);
  try {
    for (const change of changes) {
      current = change.path;
      prepared.push(prepare(change));
    }
    // To write them took a while.
    assertUnchanged(folder, changes);
    for (const one of prepared) {
      current = one.path;
      place(one.after, one.file);
      placed.push(one);
    }
  } catch (cause) {
    lost = placed.filter((one) => !restore(one));
    if (cause instanceof ChangedError) throw cause;
    throw new WriteError({ path: current, lost: lost.map(({ before }) => before) }, cause);
  } finally {
    for (const one of prepared) {
      remove(one.after);
      if (!lost.includes(one)) remove(one.before);
    }
  }
}

/** @throws {ChangedError} if a file was replaced or changed since it was read */
function assertUnchanged(folder: string, changes: readonly MigrationChange[]): void {
  const changed = changes.filter((change) => !isUnchanged(folder, change)).map(({ path }) => path);
  if (changed.length > 0) throw new ChangedError(changed);
}

function isUnchanged(folder: string, { path, before: { file, bytes } }: MigrationChange): boolean {
  try {
    return realpathSync(resolve(folder, path)) === file && bytes.equals(readFileSync(file));
  } catch {
    return false;
  }
}

function prepare({ path, text, before: { file } }: MigrationChange): Prepared {
  // A file that nobody may write could be replaced all the same, if its folder may be written.
  closeSync(openSync(file, 'r+'));
  const id = randomUUID();
  const prepared = { path, file, after: `${file}.${id}.after`, before: `${file}.${id}.before` };
  try {
    writeFileSync(prepared.after, text, { flag: 'wx' });
    takeRights(prepared);
    keep(prepared);
    return prepared;
  } catch (error) {
    for (const one of [prepared.after, prepared.before]) remove(one);
    throw error;
  }
}

function takeRights({ file, after }: Prepared): void {
  const { mode, uid, gid } = statSync(file);
  const own = statSync(after);
  if (own.uid !== uid || own.gid !== gid) tryTo(() => chownSync(after, uid, gid));
  chmodSync(after, mode & 0o777);
}

/** A second name takes no space on a disk that may be full; not every disk has them. */
function keep({ file, before }: Prepared): void {
  if (!tryTo(() => linkSync(file, before))) copyFileSync(file, before);
}

/** A name is put back without a byte being written. */
function restore({ file, before }: Prepared): boolean {
  return tryTo(() => renameSync(before, file));
}

function remove(file: string): void {
  tryTo(() => rmSync(file, { force: true }));
}

function tryTo(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
