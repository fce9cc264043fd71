import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Project as MorphProject } from 'ts-morph';
import { listSources } from './list-sources.js';
import type { TsMorph } from './load-ts-morph.js';
import { readTextFile, type TextFile, type UnreadFile } from './read-text-file.js';

/** The sources of a project, parsed. */
export interface OpenProject {
  readonly folder: string;
  readonly morph: TsMorph;
  readonly project: MorphProject;
  readonly sources: readonly TextFile[];
  /** What looks like a source and is left as it is. */
  readonly unread: readonly UnreadFile[];
}

/** Opens the sources of a folder. Packages are not read: what a name is, its import says. */
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

/** The target of a link is migrated in its own place if it is a source of the project. Otherwise it is not changed. */
function leaveLink(
  { path, file, text }: TextFile,
  { place, paths }: { readonly place: string; readonly paths: readonly string[] },
): readonly UnreadFile[] {
  const target = relative(place, file).split(sep).join('/');
  if (paths.includes(target)) return [];
  const isOutside = target.startsWith('../') || isAbsolute(target);
  const why = isOutside
    ? 'it is a link that leads out of the project'
    : 'it is a link to a file that is not among the sources';
  return [{ path, why, text }];
}

/** The settings of the application say how its files find one another. */
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
    // The settings cannot be read, or extend others that are not installed.
    return new morph.Project(options);
  }
}
