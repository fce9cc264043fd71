import { findRootModule } from '../init/find-root-module.js';
import { type InitRequest, parseInitRequest } from '../init/init-options.js';
import { planInit } from '../init/plan-init.js';
import { createRule, type SchematicRule } from './schematic-tree.js';

/**
 * Adds a server and a sample tool to an application from the Nest CLI, as `nestjs-mcp-cli init` does.
 *
 * @throws {Error} if the application cannot be changed; it contains the code to write by hand
 */
export function addServer({ module, name, project: application }: InitRequest): SchematicRule {
  const request = parseInitRequest({ module, name, project: application });
  return createRule((project) => planInit(project, { ...request, module: findRootModule(project, request) }));
}
