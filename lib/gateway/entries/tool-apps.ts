import type { ToolDefinition } from '../../index.js';
import { FLAT_RESOURCE_URI_KEY, isAppUri, UI_META_KEY } from '../../core/protocol/apps/app-meta.js';
import { isObject } from '../../core/protocol/json-rpc.js';

type Meta = { readonly [key: string]: unknown };

/** Returns whether only apps can call a tool. */
export function isForApps({ _meta }: ToolDefinition): boolean {
  const ui = _meta?.[UI_META_KEY];
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return Array.isArray(visibility) && !visibility.includes('model');
}

/**
 * Rewrites the URIs of a tool's app in its `_meta`.
 *
 * @param formatUri returns the URI under which the gateway offers the app; absent to remove the app
 */
export function rewriteApp(
  meta: Meta | undefined,
  formatUri: ((uri: string) => string) | undefined,
): Meta | undefined {
  if (meta === undefined) return undefined;
  const { [UI_META_KEY]: ui, [FLAT_RESOURCE_URI_KEY]: flat, ...others } = meta;
  if (formatUri === undefined) return others;
  const { resourceUri, ...rest } = isObject(ui) ? ui : {};
  const [uri, flatUri] = [resourceUri, flat].map((one) =>
    typeof one === 'string' && isAppUri(one) ? formatUri(one) : undefined,
  );
  const rewritten = { ...rest, ...(uri !== undefined && { resourceUri: uri }) };
  return {
    ...others,
    ...(Object.keys(rewritten).length > 0 && { [UI_META_KEY]: rewritten }),
    ...(flatUri !== undefined && { [FLAT_RESOURCE_URI_KEY]: flatUri }),
  };
}
