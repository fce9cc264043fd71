import { posix } from 'node:path';
import type { ProjectTree } from './project-tree.interface.js';

/** A TypeScript file that is not a test. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const SOURCE = /(?<!\.d|[.-](?:spec|test))\.ts$/;
const SKIPPED = new Set(['node_modules', 'dist', 'coverage']);

/** Reads the sources below a folder that contain a string. */
export function listSources(project: ProjectTree, folder: string, wanted: string): readonly SourceFile[] {
  const { files, folders } = project.list(folder);
  const own = files.filter((name) => SOURCE.test(name)).map((name) => posix.join(folder, name));
  const found = own.flatMap((path) => {
    const text = project.read(path) ?? '';
    return text.includes(wanted) ? [{ path, text }] : [];
  });
  const inner = folders
    .filter((name) => !SKIPPED.has(name) && !name.startsWith('.'))
    .flatMap((name) => listSources(project, posix.join(folder, name), wanted));
  return [...found, ...inner];
}
