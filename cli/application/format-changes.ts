import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileChange, Project } from './project-folder.js';
import { readSourceStyle } from './source-style.js';

/** The part of Prettier's API that is used: version 2 is synchronous, version 3 returns promises. */
interface Prettier {
  resolveConfig(file: string, options?: object): Promise<object | null>;
  check(text: string, options: object): boolean | Promise<boolean>;
  format(text: string, options: object): string | Promise<string>;
}

/** The application's folder, and its current files. */
export interface FormattedProject {
  /** The application's folder. */
  readonly root: string;
  readonly project: Pick<Project, 'read'>;
}

/**
 * Formats changes with the application's Prettier, if it is installed. Files that were not formatted with it before
 * are left unchanged.
 */
export async function formatChanges<Change extends FileChange>(
  changes: readonly Change[],
  { root, project }: FormattedProject,
): Promise<readonly Change[]> {
  const prettier = await loadPrettier(root);
  if (prettier === undefined) return changes;
  return Promise.all(
    changes.map(async (change) => {
      const text = await format(prettier, change, { root, before: project.read(change.path) });
      return { ...change, text };
    }),
  );
}

async function format(
  prettier: Prettier,
  { path, text }: FileChange,
  { root, before }: { readonly root: string; readonly before: string | undefined },
): Promise<string> {
  const filepath = resolve(root, path);
  try {
    const settings = await prettier.resolveConfig(filepath, { editorconfig: true });
    const options = { ...(settings ?? followSource(path, before ?? text)), filepath };
    if (before !== undefined && !(await prettier.check(before, options))) return text;
    return await prettier.format(text, options);
  } catch {
    // A plugin is missing, or the settings are invalid. The unformatted code still works.
    return text;
  }
}

/** Without settings, Prettier uses its defaults, which may differ from the application's style. */
function followSource(path: string, text: string): object {
  if (!path.endsWith('.ts')) return {};
  const { quote, semicolon } = readSourceStyle(text, true);
  return { singleQuote: quote === "'", semi: semicolon !== '' };
}

/** Loads the application's own version, because versions format differently. */
async function loadPrettier(root: string): Promise<Prettier | undefined> {
  try {
    const file = createRequire(join(resolve(root), 'package.json')).resolve('prettier');
    const loaded = (await import(pathToFileURL(file).href)) as Prettier & { readonly default?: Prettier };
    return loaded.default ?? loaded;
  } catch {
    return undefined;
  }
}
