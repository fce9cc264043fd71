import { execFileSync } from 'node:child_process';
import { readdirSync, type Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { ApplicationError } from '../../application/application.error.js';

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** Folders of packages and of build output. Other folders that git ignores are left out too. */
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'out', 'coverage']);

/** Lists the sources of a project, relative to its folder: those that git knows or would take, else all. */
export function listSources(folder: string): readonly string[] {
  const files = listByGit(folder) ?? listByFolder(folder);
  return files.filter((file) => SOURCE.test(file) && !file.split('/').some(isSkipped)).toSorted();
}

function isSkipped(name: string): boolean {
  return SKIPPED.has(name) || (name.startsWith('.') && name.length > 1);
}

function listByGit(folder: string): readonly string[] | undefined {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const output = execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
    return [...new Set(output.split('\0'))].filter((file) => file !== '');
  } catch {
    // There is no git, or the folder is not in a working tree.
    return undefined;
  }
}

function listByFolder(folder: string, within = ''): readonly string[] {
  return readFolder(folder, within).flatMap((entry) => {
    const path = join(within, entry.name);
    if (entry.isDirectory()) return isSkipped(entry.name) ? [] : listByFolder(folder, path);
    return entry.isFile() ? [path.replaceAll(sep, '/')] : [];
  });
}

/** What lies in a folder that cannot be read would be left behind. */
function readFolder(folder: string, within: string): readonly Dirent[] {
  try {
    return readdirSync(join(folder, within), { withFileTypes: true });
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new ApplicationError(`The folder "${within || '.'}" cannot be read (${code})`, { cause });
  }
}
