import { buildToolMeta } from '../../../core/protocol/apps/app-meta.js';
import type { SecurityScheme } from '../../../core/protocol/definitions.js';
import { addMeta, encodeTool, type Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { Access, ToolEntry } from '../../catalog/entries.js';
import { listTool } from '../../catalog/listing/list-tool.js';
import type { ServerSettings } from '../../settings/server-settings.js';

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
  const definition = listTool(entry, settings.catalog);
  const securitySchemes = entry.isOwn === true ? undefined : buildSecuritySchemes(entry.access, settings);
  const encoded = encodeTool({ ...definition, ...(securitySchemes && { securitySchemes }) }, revision);
  return showsApps && entry.app ? addMeta(encoded, buildToolMeta(entry.app)) : encoded;
}

/**
 * Says how a tool is to be called if that differs from the rest of the server, for clients that show it before they
 * call.
 *
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1488
 */
function buildSecuritySchemes(
  access: Access | undefined,
  { auth }: ServerSettings,
): readonly SecurityScheme[] | undefined {
  if (access === undefined || auth === undefined || auth.authorizationServers.length === 0) return undefined;
  if (access.isPublic) return [{ type: 'noauth' }];
  // Scopes that depend on the arguments appear in the challenge of a call.
  if (access.scopes.length === 0) return undefined;
  const scopes = new Set([...auth.requiredScopes, ...access.scopes]);
  return [{ type: 'oauth2', scopes: [...scopes] }];
}
