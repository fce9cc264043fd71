import { posix } from 'node:path';
import { quoteAll } from '../../lib/core/words/words.js';
import { createInstallation, type Task } from '../../lib/forwarder/nest-add.schematic.js';
import { listAddedPackages } from '../application/added-packages.js';
import { ProjectFolder } from '../application/project-folder.js';
import type { FileChange, Plan } from '../application/project.interface.js';
import { formatChanges } from '../application/format-changes.js';
import { ApplicationError } from '../application/application.error.js';
import { CLIENT } from '../generators/plan-spec.js';
import type { ProjectTree } from '../generators/project-tree.interface.js';

const [TEST_CLIENT = ''] = Object.keys(CLIENT);

/** The part of a tree of `@angular-devkit/schematics` that is needed. */
export interface SchematicTree {
  read(path: string): Uint8Array | null;
  create(path: string, content: string): void;
  overwrite(path: string, content: string): void;
  getDir(path: string): { readonly subfiles: readonly string[]; readonly subdirs: readonly string[] };
}

/** The part of what a schematic runs in that is needed. */
export interface SchematicContext {
  readonly logger: { info(message: string): void; warn(message: string): void };
  addTask(task: Task): unknown;
}

/** The function of a schematic, which its runner calls with the tree. */
export type SchematicRule = (tree: SchematicTree, context: SchematicContext) => Promise<void>;

/** Reads an application by a tree; what is installed is where the command was given. */
export function readTree(tree: SchematicTree): ProjectTree {
  const folder = new ProjectFolder(process.cwd());
  return {
    // A tree has nothing above its root, and refuses such a path.
    read: (path) => (path.startsWith('..') ? folder.read(path) : decode(tree.read(path))),
    findVersion: (dependency) => folder.findVersion(dependency),
    list: (path) => {
      const { subfiles, subdirs } = tree.getDir(posix.join('/', path));
      return { files: subfiles, folders: subdirs };
    },
  };
}

/** Whether what is added to `package.json` is left to its user to install. */
export interface InstallationOptions {
  /** @default false */
  readonly skipInstall?: boolean;
}

/** Makes a schematic of what finds the changes of an application: all of them are made, or none. */
export function createRule(
  plan: (project: ProjectTree) => Plan,
  { skipInstall = false }: InstallationOptions = {},
): SchematicRule {
  return async (tree, context) => {
    const project = readTree(tree);
    const { changes, notes } = explainErrors(() => plan(project));
    // What is read afterwards is the tree as it has become.
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
  const what = skipInstall ? `install ${them} before you go on` : `${they} being installed`;
  const hint = packages.includes(TEST_CLIENT) ? ' ("--no-spec" leaves out the test and what it needs)' : '';
  return `Added to package.json: ${named}; ${what}${hint}`;
}

function needsInstallation(changes: readonly FileChange[]): boolean {
  return changes.some(({ path }) => path === 'package.json');
}

function decode(content: Uint8Array | null): string | undefined {
  return content === null ? undefined : new TextDecoder().decode(content);
}
