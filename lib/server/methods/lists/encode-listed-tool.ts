import { buildToolMeta } from '../../../core/protocol/apps/app-meta.js';
import { addMeta, encodeTool, type Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { ToolEntry } from '../../catalogue/entries.js';
import { listTool } from '../../catalogue/listing/list-tool.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { buildSecuritySchemes } from './security-schemes.js';

/**
 * Encodes a tool as clients of a revision are shown it, in a list or as what a search has found.
 *
 * @param showsApps whether the client shows apps
 */
export function encodeListedTool(
  entry: ToolEntry,
  revision: Revision,
  settings: ServerSettings,
  showsApps: boolean,
): Encoded {
  const definition = listTool(entry, settings.catalogue);
  const securitySchemes = entry.isOwn === true ? undefined : buildSecuritySchemes(entry.access, settings);
  const encoded = encodeTool({ ...definition, ...(securitySchemes && { securitySchemes }) }, revision);
  return showsApps && entry.app ? addMeta(encoded, buildToolMeta(entry.app)) : encoded;
}
