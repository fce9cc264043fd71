import { readOwnPackage } from '../core/package/own-package.js';

/** The required part of an `@angular-devkit/schematics` tree. */
interface SchematicTree {
  read(path: string): Uint8Array | null;
  overwrite(path: string, content: string): void;
}

/** A task that the schematics runner executes afterwards. */
export interface Task {
  toConfiguration(): { readonly name: string; readonly options: object };
}

/** The required part of a schematic's context. */
interface SchematicContext {
  addTask(task: Task, dependencies?: readonly unknown[]): unknown;
}

/** The required part of an application's `package.json`. */
interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
}

/** The package that contains the commands and generators. */
const CLI = 'nestjs-mcp-cli';
const MANIFEST = 'package.json';

const LOCK_FILES = {
  'yarn.lock': 'yarn',
  'pnpm-lock.yaml': 'pnpm',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
} as const;

/**
 * Implements `nest add nestjs-mcp`: adds the CLI to an application's development dependencies, and runs its `init`
 * schematic, which adds a server and a first tool.
 *
 * @param options the options of the `init` schematic of `nestjs-mcp-cli`
 */
export function addServer(options: object): (tree: SchematicTree, context: SchematicContext) => void {
  return (tree, context) => {
    const installation = addCommandLine(tree)
      ? [context.addTask(createInstallation((path) => tree.read(path) !== null))]
      : [];
    context.addTask(createTask('run-schematic', { collection: CLI, name: 'init', options }), installation);
  };
}

/** @returns whether the CLI must still be installed */
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

/** Creates the runner's `node-package` task, for the package manager whose lock file exists. */
export function createInstallation(hasFile: (path: string) => boolean): Task {
  const [, packageManager = 'npm'] = Object.entries(LOCK_FILES).find(([file]) => hasFile(file)) ?? [];
  return createTask('node-package', { command: 'install', quiet: true, packageManager });
}

function createTask(name: string, options: object): Task {
  return { toConfiguration: () => ({ name, options }) };
}

function decode(content: Uint8Array | null): string {
  if (content === null)
    throw new Error(`"${MANIFEST}" was not found: run "nest add" in the application folder`);
  return new TextDecoder().decode(content);
}
