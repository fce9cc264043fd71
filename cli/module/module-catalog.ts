import type { ListedCatalog } from '../../lib/core/lint/read-catalog.js';
import { selectServer } from '../server-json/select-server.js';
import type { ListedServer } from './listed-module.js';
import { runAnalyzer } from './run-analyzer.js';

/** What of an application is to be listed. */
export interface ModuleTarget {
  /** The file that it is made by, and its export behind `#`. */
  readonly file: string;
  /** The server that is meant, if the application has several. */
  readonly key: string | undefined;
  /** The scopes of the caller to whom things are listed. */
  readonly scopes: readonly string[];
}

/**
 * Creates and initializes the application of a file in a separate process, and returns the lists of a server.
 *
 * @throws {UsageError} if the file or its export is not there, or it is not clear which server is meant
 * @throws {AnalysisError} if the application cannot be made
 */
export async function readModuleCatalog({ file, key, scopes }: ModuleTarget): Promise<ListedCatalog> {
  const servers = (await runAnalyzer('list', file, ...scopes)) as readonly ListedServer[];
  return selectServer(servers, key).catalog;
}
