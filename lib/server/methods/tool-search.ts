import type { OnApplicationBootstrap } from '@nestjs/common';
import { Logger } from '../../core/logger/logger.js';
import { suggestOption } from '../../core/checks/suggest-names.js';
import { MODEL_ONLY } from '../../core/protocol/apps/app-meta.js';
import { CursorError, formatCursor, parseCursor } from '../../core/protocol/cursor.js';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { Invoke, Named, ToolEntry } from '../catalog/entries.js';
import { buildToolEntry } from '../catalog/building/build-entries.js';
import type { ToolRegistry } from '../catalog/registries.js';
import { isForModels } from '../catalog/search/listed-tools.js';
import { type SearchLibrary, ToolIndex } from '../catalog/search/tool-index.js';
import type { Visibility } from '../catalog/visibility/visibility.js';
import type { McpContext } from '../context/mcp-context.interface.js';
import { RequestAuth } from '../context/request-auth.js';
import { RequestContext } from '../context/request-context.js';
import { ToolError } from '../context/tool-errors.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { ToolSearchSettings } from '../settings/catalog-options.js';
import type { ToolOptions } from '../settings/handler-options.interface.js';
import { showsApps, ListVisibility } from './lists/list-pages.js';
import { encodeListedTool } from './lists/list.methods.js';

/** Provides the tools that let clients find and call unlisted tools. */
export class ToolSearch implements OnApplicationBootstrap {
  readonly #seen: ListVisibility<ToolEntry>;
  readonly #index: ToolIndex | undefined;

  /** @throws {McpConfigurationError} if the application already has a tool with such a name */
  constructor(
    private readonly tools: ToolRegistry,
    private readonly visibility: Visibility,
    private readonly settings: ServerSettings,
    library: SearchLibrary | undefined,
  ) {
    this.#seen = new ListVisibility(tools, settings.auth?.filterLists === true);
    const { search } = settings.catalog;
    if (search === undefined || library === undefined) return;
    this.#index = new ToolIndex(tools, library);
    this.#addTools(search);
  }

  /**
   * Indexes the tools, which is slow if there are thousands. A tool may still be added later, so an unknown name only
   * logs a warning.
   */
  onApplicationBootstrap(): void {
    this.#index?.update();
    const names = this.tools.list().map(({ key }) => key);
    const missing = this.settings.catalog.search?.pinned.filter((name) => !names.includes(name)) ?? [];
    for (const name of missing) {
      const near = suggestOption(name, names);
      const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
      new Logger('Mcp').warn(`"catalog.search.pinned" names "${name}", but there is no such tool${hint}`);
    }
  }

  /** They are added before all other tools, and appear first in lists. */
  #addTools(search: ToolSearchSettings): void {
    this.#add('name', describeSearchTool(search), (args, context) =>
      this.#search(args as SearchArguments, context, search),
    );
    const { callTool } = search;
    if (callTool === undefined) return;
    this.#add('callTool', describeCallTool(callTool, search), (args, context) =>
      this.#refuseCall(args as { readonly name: string }, context),
    );
  }

  #add(option: 'name' | 'callTool', options: Named<ToolOptions>, invoke: Invoke): void {
    const { name } = options;
    if (this.tools.find(name) !== undefined) {
      const expected = `is "${name}", but the application has a tool with that name: choose a different name`;
      throw new McpConfigurationError(`catalog.search.${option}`, expected);
    }
    this.tools.add({
      // Otherwise, apps could find and call tools that are only for models.
      ...buildToolEntry({ ...options, _meta: MODEL_ONLY }, invoke),
      isOwn: true,
      access: { scopes: [], isPublic: true },
    });
  }

  async #search(
    { query, limit, cursor }: SearchArguments,
    context: McpContext,
    search: ToolSearchSettings,
  ): Promise<Encoded> {
    const size = limit ?? search.limit;
    const after = parseOffset(cursor);
    const found = this.#index?.rank(query).filter(this.#createFilter(context)) ?? [];
    const seen = [...(await this.visibility.select(found, after + size + 1, context))];
    const tools = seen.slice(after, after + size);
    const withApps = context instanceof RequestContext && showsApps(context, this.settings);
    return {
      tools: tools.map((entry) => encodeListedTool(entry, context.revision, this.settings, withApps)),
      ...(seen.length > after + size && { nextCursor: formatCursor('foundTools', after + size) }),
    };
  }

  /** A call that reaches this handler has not been forwarded. */
  async #refuseCall({ name }: { readonly name: string }, context: McpContext): Promise<never> {
    const tool = this.tools.find(name);
    const isListed = tool !== undefined && this.#createFilter(context)(tool);
    if (!isListed || !(await this.visibility.isVisible(tool, context))) {
      // A caller without a token receives a challenge even if the tool does not exist.
      if (context.auth instanceof RequestAuth && context.auth.claims === undefined)
        context.auth.requireScope();
      throw McpError.unknownTool(name);
    }
    throw new ToolError(`Call "${name}" directly: it is in the tool list`);
  }

  /** Creates a filter for the tools that a caller may see by scope, as in lists. */
  #createFilter({ auth }: McpContext): (entry: ToolEntry) => boolean {
    const { shows } = this.#seen.find(auth);
    return (entry) => isForModels(entry) && shows?.(entry) !== false;
  }
}

function parseOffset(cursor: string | undefined): number {
  try {
    return cursor === undefined ? 0 : parseCursor('foundTools', cursor);
  } catch (error) {
    if (error instanceof CursorError) throw new ToolError(error.message);
    throw error;
  }
}

/** A search's arguments. */
interface SearchArguments {
  readonly query: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** Characters of a query. */
const LONGEST_QUERY = 1000;

/** The maximum length of a cursor, which contains a number. */
const LONGEST_CURSOR = 100;

const FOUND = {
  type: 'object',
  properties: {
    tools: {
      type: 'array',
      description: 'Definitions as in `tools/list`, best match first',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, inputSchema: { type: 'object' } },
        required: ['name', 'inputSchema'],
      },
    },
    nextCursor: { type: 'string', description: 'Present if there are more results: pass it as `cursor`' },
  },
  required: ['tools'],
};

/** Describes the tool that searches. */
function describeSearchTool({ name, callTool, limit, maxLimit }: ToolSearchSettings): Named<ToolOptions> {
  const way = callTool === undefined ? 'directly' : `directly, or with "${callTool}" if you cannot`;
  return {
    name,
    title: 'Search tools',
    description: `Finds unlisted tools on this server from a description of what they do. Returns their definitions, including input schemas. Call a found tool ${way}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: LONGEST_QUERY,
          description: 'What the tool should do, in words that its name or description may contain',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: maxLimit,
          default: limit,
          description: 'How many tools to return',
        },
        cursor: {
          type: 'string',
          maxLength: LONGEST_CURSOR,
          description: 'The `nextCursor` from the previous search, to get more tools',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: FOUND,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** Describes the tool that calls others. */
function describeCallTool(name: string, { name: searchTool }: ToolSearchSettings): Named<ToolOptions> {
  return {
    name,
    title: 'Call a tool',
    description: `Calls a tool that "${searchTool}" found, with arguments that match its "inputSchema".`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The tool name' },
        arguments: { type: 'object', description: 'Its arguments', additionalProperties: true },
      },
      required: ['name'],
      additionalProperties: false,
    },
  };
}
