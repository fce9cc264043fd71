import type MiniSearch from 'minisearch';
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
  catalogue,
}: Pick<ServerSettings, 'catalogue'>): Promise<SearchLibrary | undefined> {
  if (catalogue.search === undefined) return undefined;
  try {
    return (await import('minisearch')).default;
  } catch (cause) {
    const expected = 'needs a package that is not installed: run "npm install minisearch"';
    throw new McpConfigurationError('catalogue.search', expected, { cause });
  }
}
