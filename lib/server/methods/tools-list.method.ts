import { Inject, Injectable } from '@nestjs/common';
import { buildToolMeta } from '../../core/protocol/apps/app-meta.js';
import { addMeta, encodeTool } from '../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../core/protocol/outbound-message.js';
import type { ToolEntry } from '../catalogue/entries.js';
import { listTool } from '../catalogue/listing/list-tool.js';
import { ToolRegistry } from '../catalogue/registries.js';
import { Visibility } from '../catalogue/visibility/visibility.js';
import type { RequestContext } from '../context/request-context.js';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { isForAppsAlone } from './lists/app-gate.js';
import { ListPages } from './lists/list-pages.js';
import type { McpMethod } from './mcp-method.interface.js';
import { buildSecuritySchemes } from './lists/security-schemes.js';

/** Shows the tools (MCP server/tools). */
@Injectable()
export class ToolsListMethod implements McpMethod {
  readonly method = 'tools/list';
  readonly #pages: ListPages<ToolEntry>;

  constructor(
    registry: ToolRegistry,
    @Inject(SERVER_SETTINGS) settings: ServerSettings,
    visibility: Visibility,
  ) {
    this.#pages = new ListPages(
      {
        registry,
        list: 'tools',
        encode: (entry, revision, showsApps) => {
          const definition = listTool(entry, settings.catalogue);
          const securitySchemes = buildSecuritySchemes(entry.access, settings);
          const tool = { ...definition, ...(securitySchemes && { securitySchemes }) };
          const encoded = encodeTool(tool, revision);
          return showsApps && entry.app ? addMeta(encoded, buildToolMeta(entry.app)) : encoded;
        },
        isForAppsAlone,
        hint: settings.cache.tools,
      },
      settings,
      visibility,
    );
  }

  handle(context: RequestContext): SerializedResult | Promise<SerializedResult> {
    return this.#pages.read(context);
  }
}
