import { ApplicationError } from '../application/application.error.js';
import { findOrigin } from '../application/edit-module.js';
import { readLocalImports, type ReadSource } from '../application/local-imports.js';
import { maskSource } from '../application/masked-source.js';
import type { Project } from '../application/project.interface.js';

/** The package that `migrate` rewrites. */
const MIGRATED = '@rekog/mcp-nest';

/**
 * Finds the file of an application that has its server: that of the root module, or one that it imports.
 *
 * @throws {ApplicationError} if the server is one of the package that `migrate` rewrites
 */
export function findServerFile(project: Project, root: string): string | undefined {
  const servers = readLocalImports(project, root).filter(hasServer);
  const own = servers.find(({ text }) => (findOrigin(text, 'McpModule') ?? 'nestjs-mcp') === 'nestjs-mcp');
  if (own !== undefined) return own.path;
  const other = servers.find(({ text }) => findOrigin(text, 'McpModule') === MIGRATED);
  if (other === undefined) return undefined;
  throw new ApplicationError(
    `"${other.path}" has a server of "${MIGRATED}": rewrite it with "npx nestjs-mcp-cli migrate"`,
  );
}

function hasServer({ text }: ReadSource): boolean {
  return /\bMcpModule\s*\.\s*forRoot/.test(maskSource(text));
}
