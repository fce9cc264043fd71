import type MiniSearch from 'minisearch';
import { explainAbsence } from '../../../core/package/explain-absence.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/** The package that ranks tools. */
export type SearchLibrary = typeof MiniSearch;

/**
 * Loads the package, if tools are searched. By the `try` bundlers know that it may be absent.
 *
 * @throws {McpConfigurationError} if it is not installed, or not in the bundle
 */
export async function loadSearchLibrary({
  catalog,
}: Pick<ServerSettings, 'catalog'>): Promise<SearchLibrary | undefined> {
  if (catalog.search === undefined) return undefined;
  try {
    return (await import('minisearch')).default;
  } catch (cause) {
    const explain = (needed: string): Error => new McpConfigurationError('catalog.search', needed, { cause });
    throw explainAbsence('minisearch', cause, explain);
  }
}
