import type { McpContext } from '../context/mcp-context.interface.js';
import { CatalogueError } from './catalogue.error.js';
import type { Invoke, ListedEntry, Named } from './entries.js';
import { buildDirectCall, type HandlerFunction } from './invocation/direct-call.js';
import type { Registry, Unplaced } from './registry.js';

/** A handler that is a plain function. Guards and other enhancers do not apply to it. */
export type DynamicHandler<Arguments> = (args: Arguments, context: McpContext) => unknown;

/** Builds an entry from its options. */
export type Build<Definition, Options> = (
  options: Named<Options>,
  invoke: Invoke,
) => Unplaced<ListedEntry<Definition, Options>>;

/** Adds, changes and removes the entries of one kind while the server runs. Clients are told. */
export class CatalogueArea<Definition, Options extends object, Key extends keyof Named<Options>> {
  readonly #registry: Registry<ListedEntry<Definition, Options>>;
  readonly #build: Build<Definition, Options>;

  constructor(registry: Registry<ListedEntry<Definition, Options>>, build: Build<Definition, Options>) {
    this.#registry = registry;
    this.#build = build;
  }

  /**
   * Adds an entry.
   *
   * @throws {CatalogueError} when its key is taken, an option cannot be used or there is no handler
   */
  add<Arguments = unknown>(options: Named<Options>, handler: DynamicHandler<Arguments>): void {
    if (typeof (handler as unknown) !== 'function') {
      throw CatalogueError.noHandler(this.#registry.kind, options.name);
    }
    this.#registry.add(this.#buildEntry({ ...options }, buildDirectCall(handler as HandlerFunction)));
  }

  /**
   * Changes options of an entry, and its handler if you give one. The key and the place in lists do not change.
   *
   * @throws {CatalogueError} when there is no such entry or an option cannot be used
   */
  update<Arguments = unknown>(
    key: string,
    changes: Partial<Omit<Named<Options>, Key>>,
    handler?: DynamicHandler<Arguments>,
  ): void {
    const present = this.#registry.find(key);
    if (present === undefined) throw CatalogueError.unknown(this.#registry.describe(key));
    const options = { ...present.options, ...changes };
    const invoke = handler ? buildDirectCall(handler as HandlerFunction) : present.invoke;
    const { origin } = present;
    this.#registry.replace({ ...this.#buildEntry(options, invoke), ...(origin && { origin }) });
  }

  /** Removes an entry, and tells whether there was one. Running calls continue. */
  remove(key: string): boolean {
    return this.#registry.remove(key);
  }

  /** Finds an entry as its list shows it. */
  find(key: string): Definition | undefined {
    return this.#registry.find(key)?.definition;
  }

  /** Returns all entries as their list shows them, in its order. */
  list(): readonly Definition[] {
    return this.#registry.list().map(({ definition }) => definition);
  }

  #buildEntry(options: Named<Options>, invoke: Invoke): Unplaced<ListedEntry<Definition, Options>> {
    try {
      return this.#build(options, invoke);
    } catch (error) {
      throw CatalogueError.unusable(this.#registry.kind, options.name, error);
    }
  }
}
