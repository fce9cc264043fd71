import { findRootModule } from '../init/find-root-module.js';
import { type InitRequest, parseInitRequest } from '../init/init-options.js';
import { planInit } from '../init/plan-init.js';
import { createRule, type SchematicRule } from './schematic-tree.js';

/**
 * Adds a server and a first tool to an application, as `nestjs-mcp-cli init` does; for the Nest CLI.
 *
 * @throws {Error} if something is to be written by hand, with what
 */
export function addServer({ module, name, project: application }: InitRequest): SchematicRule {
  const request = parseInitRequest({ module, name, project: application });
  return createRule((project) => planInit(project, { ...request, module: findRootModule(project, request) }));
}
