import type { ToolDefinition } from '../../../core/protocol/definitions.js';
import type { CatalogSettings } from '../../settings/catalog-options.js';
import type { ToolEntry } from '../entries.js';

/**
 * Returns a tool as the list of a server shows it. An entry does not know its server's options, which may not exist yet
 * when it is added. It is flat unless its own options say otherwise.
 */
export function listTool(
  { definition, input, options }: Pick<ToolEntry, 'definition' | 'input' | 'options'>,
  { flattenUnions }: Pick<CatalogSettings, 'flattenUnions'>,
): ToolDefinition {
  if (options.flattenUnions ?? flattenUnions) return definition;
  return { ...definition, inputSchema: input.jsonSchema };
}
