import type { SerializedResult } from '../../../core/protocol/outbound-message.js';
import type {
  ToolEntry,
  Access,
  ResourceEntry,
  ResourceTemplateEntry,
  PromptEntry,
} from '../../catalog/entries.js';
import type {
  ToolRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  PromptRegistry,
} from '../../catalog/registries.js';
import { ListedTools, listTool } from '../../catalog/search/listed-tools.js';
import type { Visibility } from '../../catalog/visibility/visibility.js';
import type { RequestContext } from '../../context/request-context.js';
import type { StaleLists } from '../../notifications/cluster/stale-lists.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { isForAppsAlone, isOfApp, ListPages } from './list-pages.js';
import type { McpMethod } from '../mcp-method.interface.js';
import { buildToolMeta, buildPageMeta } from '../../../core/protocol/apps/app-meta.js';
import type { SecurityScheme } from '../../../core/protocol/definitions.js';
import {
  addMeta,
  encodeTool,
  type Encoded,
  encodeResource,
  encodeResourceTemplate,
  encodePrompt,
} from '../../../core/protocol/encoding/encode-definition.js';
import type { Revision } from '../../../core/protocol/revisions.js';

/** Lists the tools (MCP server/tools). */
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
    return this.#pages.read(context, this.stale?.recordListing(context, 'tools'));
  }
}

/**
 * Encodes a tool as shown to clients of a revision, in a list or as a search result.
 *
 * @param showsApps whether the client shows apps
 */
export function encodeListedTool(
  entry: ToolEntry,
  revision: Revision,
  settings: ServerSettings,
  showsApps: boolean,
): Encoded {
  const definition = listTool(entry, settings.catalog, revision);
  const securitySchemes = entry.isOwn === true ? undefined : buildSecuritySchemes(entry.access, settings);
  const encoded = encodeTool({ ...definition, ...(securitySchemes && { securitySchemes }) }, revision);
  return showsApps && entry.app ? addMeta(encoded, buildToolMeta(entry.app)) : encoded;
}

/**
 * Lists the security schemes of a tool whose access differs from the server's other tools, for clients that show this
 * before a call.
 *
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1488
 */
function buildSecuritySchemes(
  access: Access | undefined,
  { auth }: ServerSettings,
): readonly SecurityScheme[] | undefined {
  if (access === undefined || auth === undefined || auth.authorizationServers.length === 0) return undefined;
  if (access.isPublic) return [{ type: 'noauth' }];
  // Scopes that depend on the arguments appear in a call's challenge.
  if (access.scopes.length === 0) return undefined;
  const scopes = new Set([...auth.requiredScopes, ...access.scopes]);
  return [{ type: 'oauth2', scopes: [...scopes] }];
}

/** Lists the resources with a fixed URI (MCP server/resources). */
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
    return this.#pages.read(context, this.stale?.recordListing(context, 'resources'));
  }
}

/** Lists the resource templates (MCP server/resources). */
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
    return this.#pages.read(context, this.stale?.recordListing(context, 'resourceTemplates'));
  }
}

/** Lists the prompts (MCP server/prompts). */
export class PromptsListMethod implements McpMethod {
  readonly method = 'prompts/list';
  readonly #pages: ListPages<PromptEntry>;

  constructor(
    registry: PromptRegistry,
    settings: ServerSettings,
    visibility: Visibility,
    private readonly stale?: StaleLists,
  ) {
    this.#pages = new ListPages(
      {
        registry,
        list: 'prompts',
        encode: (entry, revision) => encodePrompt(entry.definition, revision),
        hint: settings.cache.prompts,
      },
      settings,
      visibility,
    );
  }

  handle(context: RequestContext): SerializedResult | Promise<SerializedResult> {
    return this.#pages.read(context, this.stale?.recordListing(context, 'prompts'));
  }
}
