import { encodePrompt } from '../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../core/protocol/outbound-message.js';
import type { PromptEntry } from '../catalog/entries.js';
import type { PromptRegistry } from '../catalog/registries.js';
import type { Visibility } from '../catalog/visibility/visibility.js';
import type { RequestContext } from '../context/request-context.js';
import type { StaleLists } from '../notifications/standing/stale-lists.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { ListPages } from './lists/list-pages.js';
import type { McpMethod } from './mcp-method.interface.js';

/** Shows the prompts (MCP server/prompts). */
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
    return this.#pages.read(context, this.stale?.noteListed(context, 'prompts'));
  }
}
