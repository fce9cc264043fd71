import type { Tool } from '@modelcontextprotocol/client';
import { APP_SCHEME, FLAT_RESOURCE_URI_KEY, UI_META_KEY } from '../../lib/core/protocol/apps/app-meta.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';

/**
 * Returns the URI of a tool's app, if the tool has one.
 *
 * @see SEP-1865, "Tool metadata"
 */
export function findApp({ _meta = {} }: Tool): string | undefined {
  const ui = _meta[UI_META_KEY];
  const uri = (isObject(ui) ? ui['resourceUri'] : undefined) ?? _meta[FLAT_RESOURCE_URI_KEY];
  return typeof uri === 'string' && uri.startsWith(APP_SCHEME) ? uri : undefined;
}
