import { parseInitRequest } from '../init/init-options.js';
import { InitError } from '../init/init.error.js';
import { planInit } from '../init/plan-init.js';
import type { InitRequest, Project } from '../init/project.interface.js';
import { ProjectFolder } from '../init/project-folder.js';

/** The part of a tree of `@angular-devkit/schematics` that is needed. */
export interface SchematicTree {
  read(path: string): Uint8Array | null;
  create(path: string, content: string): void;
  overwrite(path: string, content: string): void;
}

/**
 * Adds a server and a first tool to an application, as `nestjs-mcp init` does; for the Nest CLI.
 *
 * @throws {Error} where something is to be written by hand, with what
 */
export function addServer({ module, name }: InitRequest): (tree: SchematicTree) => SchematicTree {
  return (tree) => {
    const folder = new ProjectFolder(process.cwd());
    const project: Project = {
      read: (path) => decode(tree.read(path)),
      findVersion: (dependency) => folder.findVersion(dependency),
    };
    for (const { path, text, isCreated } of plan(project, { module, name })) {
      if (isCreated) tree.create(path, text);
      else tree.overwrite(path, text);
    }
    return tree;
  };
}

function plan(project: Project, request: InitRequest) {
  try {
    return planInit(project, parseInitRequest(request));
  } catch (error) {
    if (!(error instanceof InitError) || error.byHand === '') throw error;
    throw new Error(`${error.message}; write this by hand:\n\n${error.byHand}`, { cause: error });
  }
}

function decode(content: Uint8Array | null): string | undefined {
  return content === null ? undefined : new TextDecoder().decode(content);
}
