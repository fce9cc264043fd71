import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FileChange } from '../application/project.interface.js';
import { WriteError } from './write.error.js';

interface Prepared {
  readonly path: string;
  readonly file: string;
  readonly temporary: string;
  readonly before: Buffer;
}

/**
 * Writes all files or none. Each is written beside its place first, and takes its place when all are there.
 *
 * @param place puts a file into the place of another
 * @throws {WriteError} if one cannot be written; those before it are as they were
 */
export function writeTogether(
  folder: string,
  changes: readonly FileChange[],
  place: (from: string, to: string) => void = renameSync,
): void {
  const prepared: Prepared[] = [];
  const placed: Prepared[] = [];
  let current = '';
  try {
    for (const { path, text } of changes) {
      current = path;
      prepared.push(prepare(resolve(folder, path), { path, text }));
    }
    for (const one of prepared) {
      current = one.path;
      place(one.temporary, one.file);
      placed.push(one);
    }
  } catch (cause) {
    const lost = placed.filter((one) => !restore(one)).map(({ path }) => path);
    throw new WriteError({ path: current, lost }, cause);
  } finally {
    for (const { temporary } of prepared) rmSync(temporary, { force: true });
  }
}

/** A link leads to the file that is written. */
function prepare(link: string, { path, text }: { readonly path: string; readonly text: string }): Prepared {
  const file = realpathSync(link);
  const before = readFileSync(file);
  const temporary = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    chmodSync(temporary, statSync(file).mode & 0o777);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return { path, file, temporary, before };
}

function restore({ file, before }: Prepared): boolean {
  try {
    writeFileSync(file, before);
    return true;
  } catch {
    return false;
  }
}
