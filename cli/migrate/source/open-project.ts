import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, type Dirent } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Project as MorphProject } from 'ts-morph';
import { ApplicationError } from '../../application/application.error.js';
import type { TsMorph } from './load-ts-morph.js';
import { readTextFile, type TextFile, type UnreadFile } from './read-text-file.js';

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** Folders of packages and build output. Other folders that git ignores are skipped too. */
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'out', 'coverage']);

/** Lists a project's sources, relative to its folder: files that git does not ignore, or all files without git. */
function listSources(folder: string): readonly string[] {
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
    // Git is not installed, or the folder is not in a working tree.
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

/** Fails for an unreadable folder, because its files would not be migrated. */
function readFolder(folder: string, within: string): readonly Dirent[] {
  try {
    return readdirSync(join(folder, within), { withFileTypes: true });
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new ApplicationError(`The folder "${within || '.'}" cannot be read (${code})`, { cause });
  }
}

/** A project's sources, parsed. */
export interface OpenProject {
  readonly folder: string;
  readonly morph: TsMorph;
  readonly project: MorphProject;
  readonly sources: readonly TextFile[];
  /** Files that look like sources, but are not changed. */
  readonly unread: readonly UnreadFile[];
}

/** Opens a folder's sources. Packages are not read, because imports identify names. */
export function openProject(folder: string, morph: TsMorph): OpenProject {
  const root = resolve(folder);
  const project = createProject(root, morph);
  const { sources, unread } = readSources(root);
  for (const { path, text } of sources) project.createSourceFile(join(root, path), text, { overwrite: true });
  return { folder: root, morph, project, sources, unread };
}

function readSources(root: string): Pick<OpenProject, 'sources' | 'unread'> {
  const place = realpathSync(root);
  const paths = listSources(root);
  const sources: TextFile[] = [];
  const unread: UnreadFile[] = [];
  for (const path of paths) {
    const found = readTextFile(root, path);
    if (found === undefined) continue;
    if ('why' in found) unread.push(found);
    else if (found.file === join(place, path)) sources.push(found);
    else unread.push(...leaveLink(found, { place, paths }));
  }
  return { sources, unread };
}

/** The target of a link is migrated under its real path if it is a source of the project. Otherwise it is not changed. */
function leaveLink(
  { path, file, text }: TextFile,
  { place, paths }: { readonly place: string; readonly paths: readonly string[] },
): readonly UnreadFile[] {
  const target = relative(place, file).split(sep).join('/');
  if (paths.includes(target)) return [];
  const isOutside = target.startsWith('../') || isAbsolute(target);
  const why = isOutside
    ? 'it is a symbolic link to a file outside the project'
    : 'it is a symbolic link to a file that is not among the sources';
  return [{ path, why, text }];
}

/** The application's settings determine how its imports resolve. */
function createProject(root: string, morph: TsMorph): MorphProject {
  const settings = join(root, 'tsconfig.json');
  const compilerOptions = { allowJs: true, noResolve: true, noLib: true, types: [] };
  const options = {
    compilerOptions,
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
  };
  try {
    return new morph.Project({
      ...options,
      ...(existsSync(settings) && { tsConfigFilePath: settings }),
    });
  } catch {
    // The settings are unreadable, or extend settings that are not installed.
    return new morph.Project(options);
  }
}
