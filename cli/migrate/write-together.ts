import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
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
import type { MigrationChange } from './migration-change.js';

/** Thrown if a migration's files cannot be written. */
export class WriteError extends Error {
  override readonly name = 'WriteError';

  /** @param lost the backups of files that could not be restored */
  constructor({ path, lost }: { readonly path: string; readonly lost: readonly string[] }, cause: unknown) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const state =
      lost.length === 0
        ? 'all files are unchanged'
        : `some changed files could not be restored; their original content is in ${lost.join(', ')}`;
    super(`"${path}" cannot be written (${reason}): ${state}`, { cause });
  }
}

/** Thrown if files changed after the migration read them. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';

  constructor(paths: readonly string[]) {
    super(
      `Nothing was written: these files changed after they were read: ${paths.join(', ')}. Run the command again`,
    );
  }
}

interface Prepared {
  readonly path: string;
  readonly file: string;
  readonly isCreated: boolean;
  readonly isRemoved: boolean;
  /** The new content, in a file next to it. */
  readonly after: string;
  /** A backup of the file, next to it. */
  readonly before: string;
}

/**
 * Writes all files or none. Each new content is first written next to its file, and moved into place once all of them
 * are complete.
 *
 * @param place moves a file to another file's path
 * @throws {ChangedError} if a file has changed since it was read
 * @throws {WriteError} if a file cannot be written; files before it are restored
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
      prepared.push(prepare(folder, change));
    }
    // Files may have changed while the new contents were written.
    assertUnchanged(folder, changes);
    for (const one of prepared) {
      current = one.path;
      if (one.isRemoved) rmSync(one.file);
      else place(one.after, one.file);
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

function isUnchanged(folder: string, { path, before }: MigrationChange): boolean {
  if (before === undefined) return !existsSync(resolve(folder, path));
  const { file, bytes } = before;
  try {
    return realpathSync(resolve(folder, path)) === file && bytes.equals(readFileSync(file));
  } catch {
    return false;
  }
}

function prepare(folder: string, { path, text, before, isRemoved = false }: MigrationChange): Prepared {
  const file = before?.file ?? resolve(folder, path);
  const isCreated = before === undefined;
  // Renaming would replace even a read-only file if its folder is writable.
  if (!isCreated) closeSync(openSync(file, 'r+'));
  const id = randomUUID();
  const beside = { after: `${file}.${id}.after`, before: `${file}.${id}.before` };
  const prepared = { path, file, isCreated, isRemoved, ...beside };
  try {
    writeFileSync(prepared.after, text, { flag: 'wx' });
    if (isCreated) return prepared;
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

/** Creates a backup as a hard link, which requires no space on a full disk, or as a copy where links are not supported. */
function keep({ file, before }: Prepared): void {
  if (!tryTo(() => linkSync(file, before))) copyFileSync(file, before);
}

/** Restores a file with a rename, which writes no data. */
function restore({ file, before, isCreated }: Prepared): boolean {
  return tryTo(() => (isCreated ? rmSync(file) : renameSync(before, file)));
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
