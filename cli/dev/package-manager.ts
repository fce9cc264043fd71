import { posix } from 'node:path';
import { parseObject } from '../application/parse-object.js';
import type { Project } from '../application/project-folder.js';

/** A package manager that runs scripts. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const MANAGERS: readonly PackageManager[] = ['npm', 'pnpm', 'yarn', 'bun'];

/** The lockfile of each package manager. npm's is searched last, because it often remains when a project switches to another one. */
const LOCKFILES: readonly (readonly [file: string, manager: PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** The maximum number of parent folders to search for a workspace. */
const MOST_FOLDERS = 20;

/** Finds the package manager of an application from `packageManager` or its lockfile, or else the package manager that runs this command. */
export function findPackageManager(project: Project, userAgent = ''): PackageManager {
  let folder = '';
  for (let depth = 0; depth < MOST_FOLDERS; depth += 1) {
    const found = findDeclared(project, folder) ?? findByLockfile(project, folder);
    if (found !== undefined) return found;
    folder = posix.join(folder, '..');
  }
  return selectManager(userAgent.split('/')[0]) ?? 'npm';
}

/** Builds the arguments that run a script with arguments. */
export function buildRunArguments(
  manager: PackageManager,
  script: string,
  args: readonly string[],
): readonly string[] {
  // The others pass on everything after the script, including "--".
  const separator = manager === 'npm' && args.length > 0 ? ['--'] : [];
  return ['run', script, ...separator, ...args];
}

function findDeclared(project: Project, folder: string): PackageManager | undefined {
  const text = project.read(posix.join(folder, 'package.json'));
  // A manifest in a parent folder may not belong to this application, so errors in it are ignored.
  const declared = text === undefined ? undefined : readMember(text);
  return typeof declared === 'string' ? selectManager(declared.split('@')[0]) : undefined;
}

function readMember(text: string): unknown {
  try {
    return parseObject('package.json', text)['packageManager'];
  } catch {
    return undefined;
  }
}

function findByLockfile(project: Project, folder: string): PackageManager | undefined {
  return LOCKFILES.find(([file]) => project.read(posix.join(folder, file)) !== undefined)?.[1];
}

function selectManager(name: string | undefined): PackageManager | undefined {
  return MANAGERS.find((one) => one === name);
}
