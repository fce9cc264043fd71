import type { SerializedResult } from '../../core/protocol/outbound-message.js';
import type { ToolEntry } from '../catalog/entries.js';
import type { ToolRegistry } from '../catalog/registries.js';
import { ListedTools } from '../catalog/search/listed-tools.js';
import type { Visibility } from '../catalog/visibility/visibility.js';
import type { RequestContext } from '../context/request-context.js';
import type { StaleLists } from '../notifications/standing/stale-lists.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { isForAppsAlone } from './lists/app-gate.js';
import { encodeListedTool } from './lists/encode-listed-tool.js';
import { ListPages } from './lists/list-pages.js';
import type { McpMethod } from './mcp-method.interface.js';

/** Shows the tools (MCP server/tools). */
export class ToolsListMethod implements McpMethod {
  readonly method = 'tools/list';
  readonly #pages: ListPages<ToolEntry>;

  constructor(
    registry: ToolRegistry,
    settings: ServerSettings,
    visibility: Visibility,
    private readonly stale?: StaleLists,
  ) {
    const { search } = settings.catalog;
    this.#pages = new ListPages(
      {
        registry: search === undefined ? registry : new ListedTools(registry, search),
        list: 'tools',
        encode: (entry, revision, showsApps) => encodeListedTool(entry, revision, settings, showsApps),
        isForAppsAlone,
        hint: settings.cache.tools,
      },
      settings,
      visibility,
    );
  }

  handle(context: RequestContext): SerializedResult | Promise<SerializedResult> {
    return this.#pages.read(context, this.stale?.noteListed(context, 'tools'));
  }
}
