import { readOwnPackage } from '../core/package/own-package.js';

/** The part of a tree of `@angular-devkit/schematics` that is needed. */
interface SchematicTree {
  read(path: string): Uint8Array | null;
  overwrite(path: string, content: string): void;
}

/** What the runner of schematics does afterwards. */
export interface Task {
  toConfiguration(): { readonly name: string; readonly options: object };
}

/** The part of what a schematic runs in that is needed. */
interface SchematicContext {
  addTask(task: Task, dependencies?: readonly unknown[]): unknown;
}

/** What `package.json` of an application has, as far as it is needed. */
interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
}

/** The package that has the commands and the generators. */
const CLI = 'nestjs-mcp-cli';
const MANIFEST = 'package.json';

const LOCK_FILES = {
  'yarn.lock': 'yarn',
  'pnpm-lock.yaml': 'pnpm',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
} as const;

/**
 * Adds the command line to the development dependencies of an application, and has it add a server and a first tool; for `nest add nestjs-mcp`.
 *
 * @param options those of the schematic `init` of `nestjs-mcp-cli`
 */
export function addServer(options: object): (tree: SchematicTree, context: SchematicContext) => void {
  return (tree, context) => {
    const installation = addCommandLine(tree)
      ? [context.addTask(createInstallation((path) => tree.read(path) !== null))]
      : [];
    context.addTask(createTask('run-schematic', { collection: CLI, name: 'init', options }), installation);
  };
}

/** @returns whether it has to be installed */
function addCommandLine(tree: SchematicTree): boolean {
  const text = decode(tree.read(MANIFEST));
  const manifest = JSON.parse(text) as Manifest;
  const { dependencies, devDependencies } = manifest;
  if (CLI in { ...dependencies, ...devDependencies }) return false;
  const added = { ...devDependencies, [CLI]: `^${readOwnPackage().version}` };
  const sorted = Object.fromEntries(
    Object.entries(added).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? [];
  tree.overwrite(MANIFEST, `${JSON.stringify({ ...manifest, devDependencies: sorted }, null, indent)}\n`);
  return true;
}

/** Creates the task `node-package` of the schematics' own runner, by the package manager whose lock file is there. */
export function createInstallation(hasFile: (path: string) => boolean): Task {
  const [, packageManager = 'npm'] = Object.entries(LOCK_FILES).find(([file]) => hasFile(file)) ?? [];
  return createTask('node-package', { command: 'install', quiet: true, packageManager });
}

function createTask(name: string, options: object): Task {
  return { toConfiguration: () => ({ name, options }) };
}

function decode(content: Uint8Array | null): string {
  if (content === null)
    throw new Error(`"${MANIFEST}" is not here: call "nest add" in the folder of the application`);
  return new TextDecoder().decode(content);
}
