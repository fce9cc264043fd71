import type { CatalogueOptions, McpOptions } from './mcp-options.interface.js';
import { onlyGiven } from './only-given.js';
import { buildToolSearchSettings } from './build-tool-search-settings.js';
import type { ToolSearchSettings } from './tool-search-options.interface.js';

/** How the catalogue is shown, with every default filled in. */
export interface CatalogueSettings
  extends Required<Omit<CatalogueOptions, 'visibility' | 'search'>>, Pick<CatalogueOptions, 'visibility'> {
  /** Absent if all tools are listed. */
  readonly search?: ToolSearchSettings;
}

/** Fills every default in. */
export function buildCatalogueSettings({ catalogue = {} }: McpOptions): CatalogueSettings {
  const { search: given, ...others } = catalogue;
  const search = buildToolSearchSettings(given);
  return { flattenUnions: true, hostWarnings: true, ...onlyGiven(others), ...(search && { search }) };
}
