import { buildPageMeta } from '../../core/protocol/apps/app-meta.js';
import { addMeta, encodeResourceTemplate } from '../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../core/protocol/outbound-message.js';
import type { ResourceTemplateEntry } from '../catalog/entries.js';
import type { ResourceTemplateRegistry } from '../catalog/registries.js';
import type { Visibility } from '../catalog/visibility/visibility.js';
import type { RequestContext } from '../context/request-context.js';
import type { StaleLists } from '../notifications/standing/stale-lists.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { isOfApp } from './lists/app-gate.js';
import { ListPages } from './lists/list-pages.js';
import type { McpMethod } from './mcp-method.interface.js';

/** Shows the resource templates (MCP server/resources). */
export class ResourcesTemplatesListMethod implements McpMethod {
  readonly method = 'resources/templates/list';
  readonly #pages: ListPages<ResourceTemplateEntry>;

  constructor(
    registry: ResourceTemplateRegistry,
    settings: ServerSettings,
    visibility: Visibility,
    private readonly stale?: StaleLists,
  ) {
    this.#pages = new ListPages(
      {
        registry,
        list: 'resourceTemplates',
        encode: ({ definition, app }, revision) => {
          const encoded = encodeResourceTemplate(definition, revision);
          return app === undefined ? encoded : addMeta(encoded, buildPageMeta(app.meta));
        },
        isForAppsAlone: isOfApp,
        hint: settings.cache.resourceTemplates,
      },
      settings,
      visibility,
    );
  }

  handle(context: RequestContext): SerializedResult | Promise<SerializedResult> {
    return this.#pages.read(context, this.stale?.noteListed(context, 'resourceTemplates'));
  }
}
