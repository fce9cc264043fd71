import type { ToolSearchSettings, CatalogSettings } from '../../settings/catalog-options.js';
import type { ToolEntry } from '../entries.js';
import { readPage, type EntryList, type Page } from '../registry.js';
import type { ToolDefinition } from '../../../core/protocol/definitions.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
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

/** Tells whether a tool is listed: the server's own, and what is pinned. */
function isListed({ key, isOwn, options }: ToolEntry, { pinned, pinnedTags }: ToolSearchSettings): boolean {
  if (isOwn === true || pinned.includes(key)) return true;
  return options.tags?.some((tag) => pinnedTags.includes(tag)) === true;
}

/**
 * Returns a tool as the list of a server shows it. An entry does not know its server's options, which may not exist yet
 * when it is added. It is flat unless its own options say otherwise.
 */
export function listTool(
  { definition, input, options }: Pick<ToolEntry, 'definition' | 'input' | 'options'>,
  { flattenUnions }: Pick<CatalogSettings, 'flattenUnions'>,
): ToolDefinition {
  if (options.flattenUnions ?? flattenUnions) return definition;
  return { ...definition, inputSchema: input.jsonSchema };
}

/**
 * Tells whether a tool is meant for models: hosts keep from them what only apps call. What a search finds goes past the host, so that it has
 * to be left out before.
 *
 * @see SEP-1865, "Tool Visibility"
 */
export function isForModels({ app, definition: { _meta } }: Pick<ToolEntry, 'app' | 'definition'>): boolean {
  const ui = _meta?.['ui'];
  const visibility = app?.visibility ?? (isObject(ui) ? ui['visibility'] : undefined);
  return !Array.isArray(visibility) || visibility.includes('model');
}

/**
 * Takes a call of the tool that calls others for a call of that other. From there on it is that call: the scopes, guards,
 * limits, audit and time-out of the named tool apply.
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

  /** Returns the call that is meant, or the same request if it is none of these. What is listed is to be called by its own name. */
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

  /** What there is not is refused as any such call is. */
  #mayForward(name: string, search: ToolSearchSettings): boolean {
    const tool = this.tools?.find(name);
    return tool === undefined || (!isListed(tool, search) && isForModels(tool));
  }
}
