import type { ListedCatalog } from '../../lib/core/lint/read-catalog.js';
import { selectServer } from '../server-json/select-server.js';
import type { ListedServer } from './listed-module.js';
import { runAnalyzer } from './run-analyzer.js';

/** An application's server to list. */
export interface ModuleTarget {
  /** The file that creates it, with its export after `#`. */
  readonly file: string;
  /** The server key, if the application has several. */
  readonly key: string | undefined;
  /** The scopes of the listing caller. */
  readonly scopes: readonly string[];
}

/**
 * Creates and initializes a file's application in a separate process, and returns a server's catalog.
 *
 * @throws {UsageError} if the file or its export does not exist, or the key does not match exactly one server
 * @throws {AnalysisError} if the application cannot be created
 */
export async function readModuleCatalog({ file, key, scopes }: ModuleTarget): Promise<ListedCatalog> {
  const servers = (await runAnalyzer('list', file, ...scopes)) as readonly ListedServer[];
  return selectServer(servers, key).catalog;
}
