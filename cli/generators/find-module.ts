import { posix } from 'node:path';
import { ApplicationError } from '../application/application.error.js';
import type { HandlerRequest } from './handler-request.js';
import type { ProjectTree } from './project-tree.interface.js';

const MODULE_FILE = /\.module\.ts$/;

/**
 * Finds the file of a handler's module: the named one, or the first one in its folder or the nearest folder above, as the
 * official schematics do.
 *
 * @throws {ApplicationError} if there is none
 */
export function findModule(project: ProjectTree, request: HandlerRequest): string {
  if (request.module !== undefined) return findNamed(project, request.module, request.sourceRoot);
  for (let folder = request.folder; ; folder = posix.dirname(folder)) {
    const place = folder === '.' ? '' : folder;
    const file = project.list(place).files.find((name) => MODULE_FILE.test(name));
    if (file !== undefined) return posix.join(place, file);
    if (place === '') break;
  }
  throw new ApplicationError(
    `No module is in "${request.folder}" or above it: add one, or give "--skip-import" to import the handler yourself`,
  );
}

function findNamed(project: ProjectTree, module: string, sourceRoot: string): string {
  const path = posix.normalize(module.replaceAll('\\', '/')).replace(/^\/+/, '');
  const file = path.endsWith('.ts') ? path : `${path.replace(/\.module$/, '')}.module.ts`;
  const found = [file, posix.join(sourceRoot, file)].find((one) => project.read(one) !== undefined);
  if (found === undefined || found.startsWith('..')) {
    throw new ApplicationError(`"${file}" is not here: name the file of a module with "--module"`);
  }
  return found;
}
