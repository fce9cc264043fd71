import type MiniSearch from 'minisearch';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { splitWords } from '../../../core/words/words.js';
import type { ToolEntry } from '../entries.js';
import type { ToolRegistry } from '../registries.js';
import { explainMissingPackage } from '../../../core/package/missing-package.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/** The searchable content of a tool. */
interface ToolDescription {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly tags: string;
  readonly description: string;
  /** Names and descriptions of its parameters. */
  readonly parameters: string;
}

/** Characters of a tool that are read: descriptions may be as long as books. */
const LONGEST_TEXT = 8192;

/** How deep parameters are looked for in parameters. */
const DEEPEST = 4;

/** Describes a tool for the search, from its entry in the list. */
function describeTool({ sequence, definition, options }: ToolEntry): ToolDescription {
  const { name, title = '', description = '', inputSchema } = definition;
  const parameters = listParameters(inputSchema, 0).join(' ').slice(0, LONGEST_TEXT);
  return {
    id: sequence,
    name,
    title: title.slice(0, LONGEST_TEXT),
    tags: (options.tags ?? []).join(' ').slice(0, LONGEST_TEXT),
    description: description.slice(0, LONGEST_TEXT),
    parameters,
  };
}

function listParameters({ properties, items }: OpenObject, depth: number): readonly string[] {
  if (depth === DEEPEST) return [];
  const inner = isObject(items) ? listParameters(items, depth + 1) : [];
  if (!isObject(properties)) return inner;
  const own = Object.entries(properties).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [name];
    const { title, description } = schema;
    const texts = [name, title, description].filter((text) => typeof text === 'string');
    return [...texts, ...listParameters(schema, depth + 1)];
  });
  return [...own, ...inner];
}

/** Words of a query that are looked for: more make it neither clearer nor cheaper. */
const MOST_WORDS = 16;

/** Words that are shorter are no beginnings of others. */
const SHORTEST_PREFIX = 3;

/** From how many letters on a word may be misspelt in one of them, and in two. */
const ONE_WRONG_FROM = 5;
const TWO_WRONG_FROM = 7;

/** The weight of a match in each field. */
const WEIGHTS = { name: 4, title: 3, tags: 3, description: 1.5, parameters: 1 };

interface Indexed {
  readonly entry: ToolEntry;
  readonly description: ToolDescription;
}

/** Ranks the tools of a server for a query. Catalog changes are indexed incrementally, before the next query. */
export class ToolIndex {
  readonly #index: MiniSearch<ToolDescription>;
  readonly #bySequence = new Map<number, Indexed>();
  #version = -1;

  constructor(
    private readonly tools: Pick<ToolRegistry, 'list' | 'version'>,
    Library: SearchLibrary,
  ) {
    this.#index = new Library<ToolDescription>({
      fields: Object.keys(WEIGHTS),
      tokenize: splitWords,
      processTerm: (word) => word,
      searchOptions: {
        boost: WEIGHTS,
        prefix: (word) => word.length >= SHORTEST_PREFIX,
        fuzzy: (word) => countWrong(word),
        tokenize: (query) => [...new Set(splitWords(query))].slice(0, MOST_WORDS),
      },
    });
  }

  /** Returns the tools that have a word of a query, the best first. Equally good tools are in the order of the catalog. */
  rank(query: string): readonly ToolEntry[] {
    this.update();
    return this.#index
      .search(query)
      .toSorted((one, other) => other.score - one.score || Number(one.id) - Number(other.id))
      .flatMap(({ id }) => this.#bySequence.get(Number(id))?.entry ?? []);
  }

  /** Indexes the changes since the last update. The first update indexes everything. */
  update(): void {
    if (this.#version === this.tools.version) return;
    const present = new Map(this.tools.list().map((entry) => [entry.sequence, entry]));
    for (const [sequence, { entry, description }] of this.#bySequence) {
      if (present.get(sequence) === entry) continue;
      this.#index.remove(description);
      this.#bySequence.delete(sequence);
    }
    for (const [sequence, entry] of present) if (!this.#bySequence.has(sequence)) this.#add(sequence, entry);
    this.#version = this.tools.version;
  }

  #add(sequence: number, entry: ToolEntry): void {
    if (entry.isOwn === true) return;
    const description = describeTool(entry);
    this.#index.add(description);
    this.#bySequence.set(sequence, { entry, description });
  }
}

/** Counts how many letters of a word may be wrong. */
function countWrong({ length }: string): number | false {
  if (length < ONE_WRONG_FROM) return false;
  return length < TWO_WRONG_FROM ? 1 : 2;
}

/** The package that ranks tools. */
export type SearchLibrary = typeof MiniSearch;

/**
 * Loads the package if tool search is enabled. The `try` lets bundlers treat it as optional.
 *
 * @throws {McpConfigurationError} if it is not installed, or not in the bundle
 */
export async function loadSearchLibrary({
  catalog,
}: Pick<ServerSettings, 'catalog'>): Promise<SearchLibrary | undefined> {
  if (catalog.search === undefined) return undefined;
  try {
    return (await import('minisearch')).default;
  } catch (cause) {
    const explain = (needed: string): Error => new McpConfigurationError('catalog.search', needed, { cause });
    throw explainMissingPackage('minisearch', cause, explain);
  }
}
