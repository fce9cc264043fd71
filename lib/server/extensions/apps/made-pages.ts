import type { ResourceEntry, ToolEntry } from '../../catalog/entries.js';
import type { ResourceRegistry, ToolRegistry } from '../../catalog/registries.js';
import type { Unplaced } from '../../catalog/registry.js';

type Tools = readonly ToolEntry[];

const NONE: Tools = [];

/** Pages that are there because tools name their files. Each page is only for callers that may use one of these tools. */
export class MadePages {
  /** The tools of each page, as lists were last told about them. */
  readonly #told = new Map<string, Tools>();
  #toolsOf = new Map<string, Tools>();
  #version = -1;

  constructor(
    private readonly tools: ToolRegistry,
    private readonly resources: ResourceRegistry,
  ) {
    tools.changes$.subscribe(() => this.#follow());
  }

  /** Tells whether a resource is such a page. */
  has({ through }: Pick<ResourceEntry, 'through'>): boolean {
    return through !== undefined;
  }

  /** Adds a page. */
  add(entry: Unplaced<ResourceEntry>): void {
    const { key } = entry;
    this.#told.set(key, NONE);
    this.resources.add({ ...entry, through: () => this.#list(key) });
  }

  /** Lists the tools that name a page as of now. */
  #list(uri: string): Tools {
    if (this.#version !== this.tools.version) {
      this.#version = this.tools.version;
      this.#toolsOf = groupByPage(this.tools.list());
    }
    return this.#toolsOf.get(uri) ?? NONE;
  }

  /** Has what is kept of a page built again if others may read it now. */
  #follow(): void {
    for (const [uri, told] of this.#told) {
      const page = this.resources.find(uri);
      if (page === undefined || !this.has(page)) {
        this.#told.delete(uri);
        continue;
      }
      const tools = this.#list(uri);
      if (isSameAccess(tools, told)) continue;
      this.#told.set(uri, tools);
      this.resources.replace(page);
    }
  }
}

function groupByPage(tools: Tools): Map<string, Tools> {
  const grouped = new Map<string, ToolEntry[]>();
  for (const tool of tools) {
    const uri = tool.app?.resourceUri;
    if (uri === undefined) continue;
    const others = grouped.get(uri);
    if (others === undefined) grouped.set(uri, [tool]);
    else others.push(tool);
  }
  return grouped;
}

function isSameAccess(tools: Tools, told: Tools): boolean {
  return tools.length === told.length && tools.every((tool, index) => isAskedAlike(tool, told[index]));
}

function isAskedAlike(tool: ToolEntry, other: ToolEntry | undefined): boolean {
  return (
    tool === other ||
    (tool.options.visible === other?.options.visible && formatAccess(tool) === formatAccess(other))
  );
}

function formatAccess(tool: ToolEntry | undefined): string {
  const { scopes = [], isPublic = false } = tool?.access ?? {};
  return JSON.stringify([scopes, isPublic]);
}
