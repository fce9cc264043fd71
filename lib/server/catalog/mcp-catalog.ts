import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from '../../core/protocol/definitions.js';
import type {
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from '../settings/handler-options.interface.js';
import {
  buildPromptEntry,
  buildResourceEntry,
  buildResourceTemplateEntry,
  buildToolEntry,
} from './building/build-entries.js';
import {
  findPromptWarnings,
  findResourceWarnings,
  findResourceTemplateWarnings,
  findToolWarnings,
  type GivenFunction,
  type Warnings,
} from './building/handler-warnings.js';
import { type HandlerFunction, FunctionCalls } from './invocation/direct-call.js';
import type {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from './registries.js';
import { SharedChanges, type SharedChange, type SharedChangeOptions } from './shared-changes.js';
import { Logger } from '../../core/logger/logger.js';
import type { McpContext } from '../context/mcp-context.interface.js';
import { CatalogError } from './catalog.error.js';
import type { Invoke, ListedEntry, Named } from './entries.js';
import type { Registry, NewEntry } from './registry.js';

/**
 * Changes the catalog of a running server, including entries that decorators declared.
 *
 * @example
 * this.catalog.tools.add({ name: 'now', description: 'Tells the time' }, () => new Date().toISOString());
 * this.catalog.tools.update('now', { description: 'Tells the time in UTC' });
 * this.catalog.tools.remove('now');
 */
export class McpCatalog {
  /** The tools, keyed by name. */
  readonly tools: CatalogSection<ToolDefinition, ToolOptions, 'name'>;
  /** The resources, keyed by URI. */
  readonly resources: CatalogSection<ResourceDefinition, ResourceOptions, 'uri'>;
  /** The resource templates, keyed by URI template. */
  readonly resourceTemplates: CatalogSection<
    ResourceTemplateDefinition,
    ResourceTemplateOptions,
    'uriTemplate'
  >;
  /** The prompts, keyed by name. */
  readonly prompts: CatalogSection<PromptDefinition, PromptOptions, 'name'>;

  constructor(
    tools: ToolRegistry,
    resources: ResourceRegistry,
    resourceTemplates: ResourceTemplateRegistry,
    prompts: PromptRegistry,
    private readonly changes: SharedChanges = new SharedChanges(),
    functions: FunctionCalls = new FunctionCalls(),
  ) {
    const createInvoke = (handler: HandlerFunction) => functions.create(handler);
    this.tools = new CatalogSection(tools, {
      build: buildToolEntry,
      findWarnings: findToolWarnings,
      createInvoke,
    });
    this.resources = new CatalogSection(resources, {
      build: buildResourceEntry,
      findWarnings: findResourceWarnings,
      createInvoke,
    });
    this.resourceTemplates = new CatalogSection(resourceTemplates, {
      build: buildResourceTemplateEntry,
      findWarnings: findResourceTemplateWarnings,
      createInvoke,
    });
    this.prompts = new CatalogSection(prompts, {
      build: buildPromptEntry,
      findWarnings: findPromptWarnings,
      createInvoke,
    });
  }

  /**
   * Defines a change of the catalog that every process of the server makes, in the same order. Functions cannot
   * travel between processes, so each process makes the change from a JSON value of at most 65,536 characters. A
   * process that starts later must read the current state from the application's own store. Define changes in the
   * constructor of a provider.
   *
   * @param name names the change in every process
   * @param make makes the change, in this process too. It may be called twice for one change
   * @returns a function that makes the change everywhere. Its promise rejects if the change fails in this process
   * @throws {CatalogError} if another change has the name
   * @example
   * constructor(private readonly catalog: McpCatalog, private readonly reports: Reports) {
   *   this.addReport = catalog.broadcastChange('add-report', async ({ id }: { id: string }) => {
   *     const report = await reports.get(id);
   *     catalog.tools.remove(report.name);
   *     catalog.tools.add({ name: report.name, description: report.title }, () => report.run());
   *   });
   * }
   */
  broadcastChange<Payload>(
    name: string,
    make: (payload: Payload) => unknown,
    options: SharedChangeOptions = {},
  ): SharedChange<Payload> {
    return this.changes.share(name, make, options);
  }
}

/** A handler that is a plain function. Guards and other enhancers do not apply to it. */
export type DynamicHandler<Arguments> = (args: Arguments, context: McpContext) => unknown;

/** Builds an entry from its options. */
export type Build<Definition, Options> = (
  options: Named<Options>,
  invoke: Invoke,
) => NewEntry<ListedEntry<Definition, Options>>;

/** Lists why callers cannot use an entry. */
export type FindWarnings<Options> = (options: Named<Options>, handler: GivenFunction) => Warnings;

/** Makes a function callable. */
export type CreateInvoke = (handler: HandlerFunction) => Invoke;

/** What entries are made with. */
export interface CatalogSectionParts<Definition, Options> {
  readonly build: Build<Definition, Options>;
  readonly findWarnings: FindWarnings<Options>;
  readonly createInvoke: CreateInvoke;
}

/** Adds, updates and removes the entries of one kind while the server runs. Clients are notified. */
export class CatalogSection<Definition, Options extends object, Key extends keyof Named<Options>> {
  readonly #registry: Registry<ListedEntry<Definition, Options>>;
  readonly #build: Build<Definition, Options>;
  readonly #findWarnings: FindWarnings<Options>;
  readonly #createInvoke: CreateInvoke;
  readonly #logger = new Logger('Mcp');

  constructor(
    registry: Registry<ListedEntry<Definition, Options>>,
    parts: CatalogSectionParts<Definition, Options>,
  ) {
    this.#registry = registry;
    this.#build = parts.build;
    this.#findWarnings = parts.findWarnings;
    this.#createInvoke = parts.createInvoke;
  }

  /**
   * Adds an entry.
   *
   * @throws {CatalogError} when its key exists, an option cannot be used or there is no handler
   */
  add<Arguments = unknown>(options: Named<Options>, handler: DynamicHandler<Arguments>): void {
    if (typeof (handler as unknown) !== 'function') {
      throw CatalogError.noHandler(this.#registry.kind, options.name);
    }
    this.#registry.add(this.#buildEntry({ ...options }, this.#createInvoke(handler as HandlerFunction)));
    this.#warnOf(this.#findWarnings(options, handler));
  }

  /**
   * Changes options of an entry, and its handler if you pass one. The key and the position in lists do not change.
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
    const known = this.#findWarnings(present.options, undefined);
    this.#warnOf(this.#findWarnings(options, handler).filter((misfit) => !known.includes(misfit)));
  }

  /** Removes an entry, and returns whether it existed. Running calls continue. */
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

  #warnOf(misfits: Warnings): void {
    for (const misfit of misfits) if (misfit !== undefined) this.#logger.warn(misfit);
  }

  #buildEntry(options: Named<Options>, invoke: Invoke): NewEntry<ListedEntry<Definition, Options>> {
    try {
      return this.#build(options, invoke);
    } catch (error) {
      throw CatalogError.unusable(this.#registry.kind, options.name, error);
    }
  }
}
