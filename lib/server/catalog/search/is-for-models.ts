import { isObject } from '../../../core/protocol/json-rpc.js';
import type { ToolEntry } from '../entries.js';

/**
 * Tells whether a tool is meant for models: hosts keep from them what only apps call. What a search finds goes past the host, so that it has
 * to be left out before.
 *
 * @see SEP-1865, "Tool Visibility"
 */
export function isForModels({ app, definition: { _meta } }: Pick<ToolEntry, 'app' | 'definition'>): boolean {
  const ui = _meta?.['ui'];
  const visibility = app?.visibility ?? (isObject(ui) ? ui['visibility'] : undefined);
  return !Array.isArray(visibility) || visibility.includes('model');
}
