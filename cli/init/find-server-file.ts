import { ApplicationError } from '../application/application.error.js';
import { findOrigin } from '../application/edit-module.js';
import { readLocalImports, type ReadSource } from '../application/local-imports.js';
import { maskSource } from '../application/masked-source.js';
import type { Project } from '../application/project-folder.js';

/** The package that `migrate` replaces. */
const MIGRATED = '@rekog/mcp-nest';

/**
 * Finds the file that declares an application's server: the root module, or a file that it imports.
 *
 * @throws {ApplicationError} if the server uses the package that `migrate` replaces
 */
export function findServerFile(project: Project, root: string): string | undefined {
  const servers = readLocalImports(project, root).filter(hasServer);
  const own = servers.find(({ text }) => (findOrigin(text, 'McpModule') ?? 'nestjs-mcp') === 'nestjs-mcp');
  if (own !== undefined) return own.path;
  const other = servers.find(({ text }) => findOrigin(text, 'McpModule') === MIGRATED);
  if (other === undefined) return undefined;
  throw new ApplicationError(
    `"${other.path}" declares a server of "${MIGRATED}": migrate it with "npx nestjs-mcp-cli migrate"`,
  );
}

function hasServer({ text }: ReadSource): boolean {
  return /\bMcpModule\s*\.\s*forRoot/.test(maskSource(text));
}
