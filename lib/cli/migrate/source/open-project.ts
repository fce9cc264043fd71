import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Project as MorphProject } from 'ts-morph';
import { listSources } from './list-sources.js';
import type { TsMorph } from './load-ts-morph.js';

/** A file of the project, as it is on disk. */
export interface OpenSource {
  /** Relative to the folder of the project. */
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
}

/** The sources of a project, parsed. */
export interface OpenProject {
  readonly folder: string;
  readonly morph: TsMorph;
  readonly project: MorphProject;
  readonly sources: readonly OpenSource[];
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Opens the sources of a folder. Packages are not read: what a name is, its import says. */
export function openProject(folder: string, morph: TsMorph): OpenProject {
  const root = resolve(folder);
  const project = createProject(root, morph);
  const sources = listSources(root).flatMap((path) => {
    const file = join(root, path);
    if (!existsSync(file)) return [];
    const content = readFileSync(file, 'utf8');
    const hasByteOrderMark = content.startsWith(BYTE_ORDER_MARK);
    const text = hasByteOrderMark ? content.slice(1) : content;
    project.createSourceFile(file, text, { overwrite: true });
    return [{ path, text, hasByteOrderMark }];
  });
  return { folder: root, morph, project, sources };
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
