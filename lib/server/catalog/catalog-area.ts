import { Logger } from '../../core/logger/logger.js';
import type { McpContext } from '../context/mcp-context.interface.js';
import type { GivenFunction, Misfits } from './building/find-function-misfits.js';
import { CatalogError } from './catalog.error.js';
import type { Invoke, ListedEntry, Named } from './entries.js';
import type { HandlerFunction } from './invocation/direct-call.js';
import type { Registry, Unplaced } from './registry.js';

/** A handler that is a plain function. Guards and other enhancers do not apply to it. */
export type DynamicHandler<Arguments> = (args: Arguments, context: McpContext) => unknown;

/** Builds an entry from its options. */
export type Build<Definition, Options> = (
  options: Named<Options>,
  invoke: Invoke,
) => Unplaced<ListedEntry<Definition, Options>>;

/** Says why callers cannot use an entry as it is given. */
export type FindMisfits<Options> = (options: Named<Options>, handler: GivenFunction) => Misfits;

/** Makes a function callable. */
export type CreateInvoke = (handler: HandlerFunction) => Invoke;

/** What entries are made with. */
export interface AreaParts<Definition, Options> {
  readonly build: Build<Definition, Options>;
  readonly findMisfits: FindMisfits<Options>;
  readonly createInvoke: CreateInvoke;
}

/** Adds, changes and removes the entries of one kind while the server runs. Clients are told. */
export class CatalogArea<Definition, Options extends object, Key extends keyof Named<Options>> {
  readonly #registry: Registry<ListedEntry<Definition, Options>>;
  readonly #build: Build<Definition, Options>;
  readonly #findMisfits: FindMisfits<Options>;
  readonly #createInvoke: CreateInvoke;
  readonly #logger = new Logger('Mcp');

  constructor(registry: Registry<ListedEntry<Definition, Options>>, parts: AreaParts<Definition, Options>) {
    this.#registry = registry;
    this.#build = parts.build;
    this.#findMisfits = parts.findMisfits;
    this.#createInvoke = parts.createInvoke;
  }

  /**
   * Adds an entry.
   *
   * @throws {CatalogError} when its key is taken, an option cannot be used or there is no handler
   */
  add<Arguments = unknown>(options: Named<Options>, handler: DynamicHandler<Arguments>): void {
    if (typeof (handler as unknown) !== 'function') {
      throw CatalogError.noHandler(this.#registry.kind, options.name);
    }
    this.#registry.add(this.#buildEntry({ ...options }, this.#createInvoke(handler as HandlerFunction)));
    this.#warnOf(this.#findMisfits(options, handler));
  }

  /**
   * Changes options of an entry, and its handler if you give one. The key and the place in lists do not change.
   *
   * @throws {CatalogError} when there is no such entry or an option cannot be used
   */
  update<Arguments = unknown>(
    key: string,
    changes: Partial<Omit<Named<Options>, Key>>,
    handler?: DynamicHandler<Arguments>,
  ): void {
    const present = this.#registry.find(key);
    if (present === undefined) throw CatalogError.unknown(this.#registry.describe(key));
    const options = { ...present.options, ...changes };
    const invoke = handler ? this.#createInvoke(handler as HandlerFunction) : present.invoke;
    const { origin } = present;
    this.#registry.replace({ ...this.#buildEntry(options, invoke), ...(origin && { origin }) });
    const known = this.#findMisfits(present.options, undefined);
    this.#warnOf(this.#findMisfits(options, handler).filter((misfit) => !known.includes(misfit)));
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

  #warnOf(misfits: Misfits): void {
    for (const misfit of misfits) if (misfit !== undefined) this.#logger.warn(misfit);
  }

  #buildEntry(options: Named<Options>, invoke: Invoke): Unplaced<ListedEntry<Definition, Options>> {
    try {
      return this.#build(options, invoke);
    } catch (error) {
      throw CatalogError.unusable(this.#registry.kind, options.name, error);
    }
  }
}
