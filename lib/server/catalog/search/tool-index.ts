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

/** How many characters of a tool are read, because descriptions may be as long as books. */
const LONGEST_TEXT = 8192;

/** How deeply nested parameters are read. */
const DEEPEST = 4;

/** Describes a listed tool for the search index. */
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

/** How many query words are used. More would make a query neither clearer nor cheaper. */
const MOST_WORDS = 16;

/** Shorter words do not match as prefixes. */
const SHORTEST_PREFIX = 3;

/** The minimum word lengths for tolerating one and two misspelled letters. */
const ONE_WRONG_FROM = 5;
const TWO_WRONG_FROM = 7;

/** The weight of a match in each field. */
const WEIGHTS = { name: 4, title: 3, tags: 3, description: 1.5, parameters: 1 };

interface Indexed {
  readonly entry: ToolEntry;
  readonly description: ToolDescription;
}

/** Ranks a server's tools for a query. Catalog changes are indexed incrementally, before the next query. */
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

  /** Returns the tools that contain a query word, best match first. Equally good tools are in catalog order. */
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

/** Returns how many misspelled letters a word may have. */
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
