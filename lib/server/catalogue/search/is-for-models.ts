import type { ToolDefinition } from '../../../core/protocol/definitions.js';
import { isObject } from '../../../core/protocol/json-rpc.js';

/**
 * Tells whether a tool is meant for models: hosts keep from them what only apps call. What a search finds goes past the host, so that it has
 * to be left out before.
 *
 * @see SEP-1865, "Tool Visibility"
 */
export function isForModels({ _meta }: Pick<ToolDefinition, '_meta'>): boolean {
  const ui = _meta?.['ui'];
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes('model');
}
