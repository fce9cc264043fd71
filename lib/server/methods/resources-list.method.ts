import { buildPageMeta } from '../../core/protocol/apps/app-meta.js';
import { addMeta, encodeResource } from '../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../core/protocol/outbound-message.js';
import type { ResourceEntry } from '../catalog/entries.js';
import type { ResourceRegistry } from '../catalog/registries.js';
import type { Visibility } from '../catalog/visibility/visibility.js';
import type { RequestContext } from '../context/request-context.js';
import type { StaleLists } from '../notifications/standing/stale-lists.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { isOfApp } from './lists/app-gate.js';
import { ListPages } from './lists/list-pages.js';
import type { McpMethod } from './mcp-method.interface.js';

/** Shows the resources that have a URI of their own (MCP server/resources). */
export class ResourcesListMethod implements McpMethod {
  readonly method = 'resources/list';
  readonly #pages: ListPages<ResourceEntry>;

  constructor(
    registry: ResourceRegistry,
    settings: ServerSettings,
    visibility: Visibility,
    private readonly stale?: StaleLists,
  ) {
    this.#pages = new ListPages(
      {
        registry,
        list: 'resources',
        encode: ({ definition, app }, revision) => {
          const encoded = encodeResource(definition, revision);
          return app === undefined ? encoded : addMeta(encoded, buildPageMeta(app.meta));
        },
        isForAppsAlone: isOfApp,
        hint: settings.cache.resources,
      },
      settings,
      visibility,
    );
  }

  handle(context: RequestContext): SerializedResult | Promise<SerializedResult> {
    return this.#pages.read(context, this.stale?.noteListed(context, 'resources'));
  }
}
