import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { OURS } from './counterparts/exported-names.js';

/**
 * Finds files with uncommitted changes, and files that git does not track. Returns `undefined` if git tracks none of them.
 * A changed `package.json` is no obstacle, because `npm install nestjs-mcp` changes it.
 */
export function findUncommitted(folder: string, paths: readonly string[]): readonly string[] | undefined {
  const changed: string[] = [];
  let isUnknown = false;
  for (const path of paths) {
    const file = resolve(folder, path);
    const status = readStatus(file);
    if (status === undefined) isUnknown = true;
    else if (status !== '' && !isInstalledOnly(file)) changed.push(path);
  }
  return isUnknown && changed.length === 0 ? undefined : changed;
}

function readStatus(file: string): string | undefined {
  if (!existsSync(file)) return '';
  return runGit(file, ['status', '--porcelain', '--', file]);
}

function runGit(file: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: dirname(file),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

const MANIFEST = 'package.json';

/** Tells whether a manifest is the committed one, except for this package among its dependencies. */
function isInstalledOnly(file: string): boolean {
  if (basename(file) !== MANIFEST) return false;
  const committed = runGit(file, ['show', `HEAD:./${MANIFEST}`]);
  if (committed === undefined) return false;
  try {
    return isDeepStrictEqual(readWithout(readFileSync(file, 'utf8')), readWithout(committed));
  } catch {
    // One of them is no JSON.
    return false;
  }
}

/** Reads a manifest without this package, and without a list that holds nothing else. */
function readWithout(text: string): Readonly<Record<string, unknown>> {
  const manifest = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<
    string,
    Record<string, unknown> | undefined
  >;
  for (const section of ['dependencies', 'devDependencies']) {
    const listed = manifest[section];
    if (typeof listed !== 'object') continue;
    const { [OURS]: _, ...others } = listed;
    manifest[section] = Object.keys(others).length === 0 ? undefined : others;
  }
  return JSON.parse(JSON.stringify(manifest)) as Record<string, unknown>;
}
