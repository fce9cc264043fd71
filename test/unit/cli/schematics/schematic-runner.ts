import { SchematicTestRunner, UnitTestTree } from '@angular-devkit/schematics/testing';
import { NodeModulesTestEngineHost } from '@angular-devkit/schematics/tools';
import { HostTree } from '@angular-devkit/schematics';
import * as handlers from '../../../../cli/schematics/handler.schematic.js';
import { addServer } from '../../../../cli/schematics/init.schematic.js';

const FACTORIES: Readonly<Record<string, unknown>> = {
  '../dist/schematics/init.schematic.js#addServer': addServer,
  ...Object.fromEntries(
    Object.entries(handlers).map(([name, factory]) => [
      `../dist/schematics/handler.schematic.js#${name}`,
      factory,
    ]),
  ),
};

/** The collection names compiled files; its tests are those of the sources. */
Object.defineProperty(NodeModulesTestEngineHost.prototype, '_resolveReferenceString', {
  configurable: true,
  value: (reference: string) => {
    const ref = FACTORIES[reference];
    return ref === undefined ? null : { ref, path: process.cwd() };
  },
});

/** What a schematic left behind. */
export interface SchematicOutcome {
  readonly tree: UnitTestTree;
  readonly warnings: readonly string[];
  /** What is run afterwards, such as an installation. */
  readonly tasks: readonly { readonly name: string; readonly options: unknown }[];
}

/** Runs a schematic of the package as the Nest CLI does. */
export async function runSchematic(
  name: string,
  options: object,
  files: Readonly<Record<string, string>> | UnitTestTree,
): Promise<SchematicOutcome> {
  const runner = new SchematicTestRunner('nestjs-mcp-cli', new URL(COLLECTION, import.meta.url).pathname);
  const warnings: string[] = [];
  runner.logger.subscribe(({ message }) => warnings.push(message));
  const tree = await runner.runSchematic(name, options, createTree(files));
  return {
    tree,
    warnings,
    tasks: runner.tasks.map(({ name: task, options: given }) => ({ name: task, options: given })),
  };
}

const COLLECTION = '../../../../cli/schematics/collection.json';

/** Makes a tree of files in memory; one that is given stays as it is. */
export function createTree(files: Readonly<Record<string, string>> | UnitTestTree): UnitTestTree {
  const tree = new UnitTestTree(new HostTree());
  const entries =
    files instanceof UnitTestTree
      ? files.files.map((path): [string, string] => [path, files.readContent(path)])
      : Object.entries(files);
  for (const [path, text] of entries) tree.create(path, text);
  return tree;
}

/** Gives the files of a tree with their texts. */
export function readFiles(tree: UnitTestTree): Readonly<Record<string, string>> {
  return Object.fromEntries(tree.files.map((path) => [path.slice(1), tree.readContent(path)]));
}
