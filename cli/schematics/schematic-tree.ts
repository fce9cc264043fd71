import { posix } from 'node:path';
import { quoteAll } from '../../lib/core/words/words.js';
import { createInstallation, type Task } from '../../lib/forwarder/nest-add.schematic.js';
import { listAddedPackages } from '../application/added-packages.js';
import { type FileChange, type Plan, ProjectFolder } from '../application/project-folder.js';
import { formatChanges } from '../application/format-changes.js';
import { ApplicationError } from '../application/application.error.js';
import { CLIENT } from '../generators/plan-spec.js';
import type { ProjectTree } from '../generators/project-tree.interface.js';

const [TEST_CLIENT = ''] = Object.keys(CLIENT);

/** The required part of an `@angular-devkit/schematics` tree. */
export interface SchematicTree {
  read(path: string): Uint8Array | null;
  create(path: string, content: string): void;
  overwrite(path: string, content: string): void;
  getDir(path: string): { readonly subfiles: readonly string[]; readonly subdirs: readonly string[] };
}

/** The required part of a schematic's context. */
export interface SchematicContext {
  readonly logger: { info(message: string): void; warn(message: string): void };
  addTask(task: Task): unknown;
}

/** A schematic's function, which its runner calls with the tree. */
export type SchematicRule = (tree: SchematicTree, context: SchematicContext) => Promise<void>;

/** Reads an application from a tree, and installed packages from the working directory. */
export function readTree(tree: SchematicTree): ProjectTree {
  const folder = new ProjectFolder(process.cwd());
  return {
    // A tree rejects paths above its root.
    read: (path) => (path.startsWith('..') ? folder.read(path) : decode(tree.read(path))),
    findVersion: (dependency) => folder.findVersion(dependency),
    list: (path) => {
      const { subfiles, subdirs } = tree.getDir(posix.join('/', path));
      return { files: subfiles, folders: subdirs };
    },
  };
}

/** Whether the user installs the added packages. */
export interface InstallationOptions {
  /** @default false */
  readonly skipInstall?: boolean;
}

/** Creates a schematic from a function that plans changes, which are applied completely or not at all. */
export function createRule(
  plan: (project: ProjectTree) => Plan,
  { skipInstall = false }: InstallationOptions = {},
): SchematicRule {
  return async (tree, context) => {
    const project = readTree(tree);
    const { changes, notes } = explainErrors(() => plan(project));
    // Later reads see the changed tree.
    const packages = listAddedPackages(changes, project);
    if (packages.length > 0) context.logger.info(explainPackages(packages, skipInstall));
    const formatted = await formatChanges(changes, { root: process.cwd(), project });
    for (const { path, text, isCreated } of formatted) {
      if (isCreated) tree.create(path, text);
      else tree.overwrite(path, text);
    }
    for (const note of notes) context.logger.warn(note);
    if (!skipInstall && needsInstallation(changes))
      context.addTask(createInstallation((path) => project.read(path) !== undefined));
  };
}

function explainErrors(plan: () => Plan): Plan {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof ApplicationError) || error.byHand === '') throw error;
    throw new Error(`${error.message}; write this by hand:\n\n${error.byHand}`, { cause: error });
  }
}

function explainPackages(packages: readonly string[], skipInstall: boolean): string {
  const named = quoteAll(packages);
  const [them, they] = packages.length === 1 ? ['it', 'it is'] : ['them', 'they are'];
  const what = skipInstall ? `install ${them} before you continue` : `${they} being installed`;
  const hint = packages.includes(TEST_CLIENT)
    ? ' (pass "--no-spec" to omit the test and its dependencies)'
    : '';
  return `Added to package.json: ${named}; ${what}${hint}`;
}

function needsInstallation(changes: readonly FileChange[]): boolean {
  return changes.some(({ path }) => path === 'package.json');
}

function decode(content: Uint8Array | null): string | undefined {
  return content === null ? undefined : new TextDecoder().decode(content);
}
