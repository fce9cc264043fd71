import type { ToolSearchOptions, ToolSearchSettings } from './tool-search-options.interface.js';

/** Fills every default in. Returns `undefined` if tools are listed instead. */
export function buildToolSearchSettings(
  search: boolean | ToolSearchOptions | undefined,
): ToolSearchSettings | undefined {
  if (search === undefined || search === false) return undefined;
  const given = search === true ? {} : search;
  const { name = 'search_tools', callTool = 'call_tool', pinned = [], pinnedTags = [], limit = 5 } = given;
  const maximumLimit = given.maximumLimit ?? Math.max(25, limit);
  return {
    name,
    ...(callTool !== false && { callTool }),
    pinned,
    pinnedTags,
    limit,
    maximumLimit,
  };
}
