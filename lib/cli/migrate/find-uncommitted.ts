import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Finds which files have changes that git does not have yet, or that it does not know; nothing if git knows none of them. */
export function findUncommitted(folder: string, paths: readonly string[]): readonly string[] | undefined {
  const changed: string[] = [];
  let isUnknown = false;
  for (const path of paths) {
    const status = readStatus(resolve(folder, path));
    if (status === undefined) isUnknown = true;
    else if (status !== '') changed.push(path);
  }
  return isUnknown && changed.length === 0 ? undefined : changed;
}

function readStatus(file: string): string | undefined {
  if (!existsSync(file)) return '';
  try {
    return execFileSync('git', ['status', '--porcelain', '--', file], {
      cwd: dirname(file),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}
