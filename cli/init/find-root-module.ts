import { posix } from 'node:path';
import { ApplicationError } from '../application/application.error.js';
import { readCliSettings } from '../application/cli-settings.js';
import { readLocalImports } from '../application/local-imports.js';
import { maskSource } from '../application/masked-source.js';
import { listSources } from '../generators/list-sources.js';
import type { ProjectTree } from '../generators/project-tree.interface.js';
import type { InitRequest } from './init-options.js';

/**
 * Finds the root module's file: the requested file, the Nest CLI's default file, or the root module of the only
 * application in the folder.
 *
 * @throws {ApplicationError} with a command for each application, if there are several or the only one is in another package
 */
export function findRootModule(project: ProjectTree, { module, project: name }: InitRequest): string {
  if (module !== undefined) return module;
  const usual = posix.join(readCliSettings(project).sourceRoot, 'app.module.ts');
  if (name === undefined && project.read(usual) !== undefined) return usual;
  const all = listRootModules(project);
  const found = name === undefined ? all : all.filter((path) => path.split('/').includes(name));
  const [only = usual] = found;
  const isUnknown = found.length === 0 && all.length > 0;
  if (found.length <= 1 && !isUnknown && findPackage(project, only) === '') return only;
  const commands = (found.length > 0 ? found : all).map((path) => formatCommand(project, path));
  throw new ApplicationError(
    ['This folder has several applications or packages; choose one of them:', ...commands].join('\n  '),
  );
}

/** Lists the modules that applications are created with. */
function listRootModules(project: ProjectTree): readonly string[] {
  const found = listSources(project, '', 'NestFactory').flatMap(({ path, text }) => {
    const [, name] =
      /\bNestFactory\s*\.\s*create\w*\s*(?:<[^(]*>)?\s*\(\s*(\w+)/.exec(maskSource(text)) ?? [];
    if (name === undefined) return [];
    const declared = new RegExp(`\\bclass\\s+${name}\\b`);
    return readLocalImports(project, path).find((one) => declared.test(maskSource(one.text)))?.path ?? [];
  });
  return [...new Set(found)];
}

/** Finds the folder of the package that a file belongs to; empty for the package in this folder. */
function findPackage(project: ProjectTree, path: string): string {
  const folder = posix.dirname(path);
  if (folder === '.') return '';
  return project.read(posix.join(folder, 'package.json')) === undefined
    ? findPackage(project, folder)
    : folder;
}

function formatCommand(project: ProjectTree, path: string): string {
  const folder = findPackage(project, path);
  const inside = posix.relative(folder, path);
  const option = inside === 'src/app.module.ts' ? '' : ` --module ${inside}`;
  return `${folder === '' ? '' : `cd ${folder} && `}npx nestjs-mcp-cli init${option}`;
}
