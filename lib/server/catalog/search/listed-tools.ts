import type { ToolSearchSettings, CatalogSettings } from '../../settings/catalog-options.js';
import type { ToolEntry } from '../entries.js';
import { readPage, type EntryList, type Page } from '../registry.js';
import type { ToolDefinition } from '../../../core/protocol/definitions.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { NEWEST_REVISION, type Revision } from '../../../core/protocol/revisions.js';
import type { CallOpener, OpenableCall } from '../../context/call-operation.interface.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { ToolRegistry } from '../registries.js';

/** The tools that a list shows if all others are searched. */
export class ListedTools implements EntryList<ToolEntry> {
  #version = -1;
  #listed: readonly ToolEntry[] = [];

  constructor(
    private readonly all: EntryList<ToolEntry>,
    private readonly search: ToolSearchSettings,
  ) {}

  get version(): number {
    return this.all.version;
  }

  list(): readonly ToolEntry[] {
    if (this.#version === this.version) return this.#listed;
    this.#version = this.version;
    this.#listed = this.all.list().filter((entry) => isListed(entry, this.search));
    return this.#listed;
  }

  page(after: number, size: number, shows?: (entry: ToolEntry) => boolean): Page<ToolEntry> {
    return readPage(this.list(), { after, size, shows });
  }
}

/** Returns whether a tool is listed: built in or pinned. */
function isListed({ key, isOwn, options }: ToolEntry, { pinned, pinnedTags }: ToolSearchSettings): boolean {
  if (isOwn === true || pinned.includes(key)) return true;
  return options.tags?.some((tag) => pinnedTags.includes(tag)) === true;
}

/**
 * Returns a tool as the server lists it. Entries are built flat, because they may be added before the server's options
 * are known. The original schema is listed if the options disable flattening, and the schema of another server
 * is listed unchanged where the revision allows it.
 */
export function listTool(
  { definition, input, output, options }: Pick<ToolEntry, 'definition' | 'input' | 'output' | 'options'>,
  { flattenUnions }: Pick<CatalogSettings, 'flattenUnions'>,
  { defines }: Pick<Revision, 'defines'> = NEWEST_REVISION,
): ToolDefinition {
  const own = (options.flattenUnions ?? flattenUnions) ? definition.inputSchema : input.jsonSchema;
  // Since then, schemas of tools may have any keyword of JSON Schema.
  if (defines.structuredContent !== 'any') return { ...definition, inputSchema: own };
  const outputSchema = output?.original ?? definition.outputSchema;
  return { ...definition, inputSchema: input.original ?? own, ...(outputSchema && { outputSchema }) };
}

/**
 * Returns whether a tool is meant for models. Hosts hide app tools from models but do not see search results, so
 * these are filtered here.
 *
 * @see SEP-1865, "Tool Visibility"
 */
export function isForModels({ app, definition: { _meta } }: Pick<ToolEntry, 'app' | 'definition'>): boolean {
  const ui = _meta?.['ui'];
  const visibility = app?.visibility ?? (isObject(ui) ? ui['visibility'] : undefined);
  return !Array.isArray(visibility) || visibility.includes('model');
}

/**
 * Rewrites a `callTool` call into a call of the tool it names. The scopes, guards, limits, audit and timeout of the
 * named tool apply.
 */
export class ForwardedCalls implements CallOpener {
  readonly #search: ServerSettings['catalog']['search'];

  constructor(
    settings?: Pick<ServerSettings, 'catalog'>,
    private readonly tools?: ToolRegistry,
  ) {
    this.#search = settings?.catalog.search;
  }

  /** Whether there is a tool that calls others. */
  get isWanted(): boolean {
    return this.#search?.callTool !== undefined;
  }

  /**
   * Returns the intended call, or the request itself if it is not a `callTool` call. Listed tools must be called by
   * name.
   */
  rewrite<Request extends OpenableCall>(request: Request): Request {
    const search = this.#search;
    const { method, params } = request;
    if (search?.callTool === undefined || method !== 'tools/call' || params?.['name'] !== search.callTool) {
      return request;
    }
    const given = params['arguments'];
    if (!isObject(given) || typeof given['name'] !== 'string') return request;
    const { name, arguments: meant } = given as { readonly name: string; readonly arguments?: unknown };
    return this.#mayForward(name, search)
      ? { ...request, params: { ...params, name, arguments: meant } }
      : request;
  }

  /** Calls of unknown tools are forwarded too, so they are refused like any other. */
  #mayForward(name: string, search: ToolSearchSettings): boolean {
    const tool = this.tools?.find(name);
    return tool === undefined || (!isListed(tool, search) && isForModels(tool));
  }
}
