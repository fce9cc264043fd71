import { hash } from 'node:crypto';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { ResourceEntry, ResourceTemplateEntry, ToolEntry } from '../entries.js';
import type {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../registries.js';
import type { Entry, EntryList } from '../registry.js';
import { ListedTools, listTool } from '../search/listed-tools.js';

/** The lists that have digests, in their order. */
export const DIGESTED = ['tools', 'prompts', 'resources'] as const;

/** Returns whether a filter property of `subscriptions/listen` subscribes to changes of a list that has a digest. */
export function isDigested(filter: string): boolean {
  return DIGESTED.some((area) => filter === `${area}ListChanged`);
}

/**
 * Characters of a digest: enough to distinguish the catalogs of a few releases, but not more, because session IDs
 * contain them.
 */
const LENGTH = 6;

/** A list with a known digest. */
interface Digested<Listed extends Entry> {
  readonly list: EntryList<Listed>;
  readonly show: (entry: Listed) => unknown;
}

/**
 * Short digests that show whether two processes have the same unfiltered lists. They are computed when the catalog
 * changes.
 */
export class ListDigests {
  readonly #tools: Digested<ToolEntry>;
  #versions = '';
  #text = '';

  constructor(
    tools: ToolRegistry,
    private readonly prompts: PromptRegistry,
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
    { catalog }: ServerSettings,
  ) {
    const { search } = catalog;
    this.#tools = {
      list: search === undefined ? tools : new ListedTools(tools, search),
      show: (entry) => [listTool(entry, catalog), entry.app],
    };
  }

  /** The digests of the lists, in the order of {@link DIGESTED}, separated by periods. */
  get text(): string {
    const { prompts, resources, templates } = this;
    const tools = this.#tools;
    const versions = [tools.list, prompts, resources, templates].map(({ version }) => version).join();
    if (versions === this.#versions) return this.#text;
    this.#versions = versions;
    const showResource = ({ definition, app }: ResourceEntry | ResourceTemplateEntry) => [
      definition,
      app?.meta,
    ];
    this.#text = [
      digest(show(tools)),
      digest(show({ list: prompts, show: ({ definition }) => definition })),
      digest([
        ...show({ list: resources, show: showResource }),
        ...show({ list: templates, show: showResource }),
      ]),
    ].join('.');
    return this.#text;
  }
}

/** Describes a list's entries, regardless of their order. */
function show<Listed extends Entry>(digested: Digested<Listed>): readonly string[] {
  return digested.list
    .list()
    .map((entry) => JSON.stringify([entry.key, digested.show(entry)]))
    .toSorted();
}

function digest(entries: readonly string[]): string {
  return hash('sha256', JSON.stringify(entries), 'base64url').slice(0, LENGTH);
}
