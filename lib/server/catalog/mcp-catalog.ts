import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from '../../core/protocol/definitions.js';
import type {
  AccessOptions,
  CompleteOptions,
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from '../settings/handler-options.interface.js';
import { buildAccess, buildLimits } from './building/build-access.js';
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
import {
  CompletionRegistry,
  formatCompletionKey,
  type PromptRegistry,
  type ResourceRegistry,
  type ResourceTemplateRegistry,
  type ToolRegistry,
} from './registries.js';
import { SharedChanges, type SharedChange, type SharedChangeOptions } from './shared-changes.js';
import { Logger } from '../../core/logger/logger.js';
import type { McpContext } from '../context/mcp-context.interface.js';
import { CatalogError } from './catalog.error.js';
import type { Invoke, ListedEntry, Named } from './entries.js';
import type { Registry, NewEntry } from './registry.js';

/**
 * Changes a running server's catalog, including entries that decorators declared.
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
  /** Completes the arguments of prompts and the variables of resource templates. No list shows them. */
  readonly completions: CompletionSection;

  constructor(
    tools: ToolRegistry,
    resources: ResourceRegistry,
    resourceTemplates: ResourceTemplateRegistry,
    prompts: PromptRegistry,
    private readonly changes: SharedChanges = new SharedChanges(),
    functions: FunctionCalls = new FunctionCalls(),
    completions: CompletionRegistry = new CompletionRegistry(),
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
    this.completions = new CompletionSection(completions, createInvoke);
  }

  /**
   * Defines a catalog change that all processes of the server make in the same order. Functions cannot be sent
   * between processes, so each process makes the change from a JSON value of at most 65,536 characters. A process
   * that starts later must read the current state from the application's own store. Define changes in a provider's
   * constructor.
   *
   * @param name identifies the change in every process
   * @param make makes the change, including in this process. It may be called twice for one change
   * @returns a function that makes the change everywhere. Its promise rejects if the change fails in this process
   * @throws {CatalogError} if another change has this name
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

/** The functions that build entries. */
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
   * @throws {CatalogError} if the key exists, an option is invalid, or the handler is missing
   */
  add<Arguments = unknown>(options: Named<Options>, handler: DynamicHandler<Arguments>): void {
    if (typeof (handler as unknown) !== 'function') {
      throw CatalogError.noHandler(this.#registry.kind, options.name);
    }
    this.#registry.add(this.#buildEntry({ ...options }, this.#createInvoke(handler as HandlerFunction)));
    this.#warnOf(this.#findWarnings(options, handler));
  }

  /**
   * Changes an entry's options, and its handler if you pass one. The key and the position in lists do not change.
   *
   * @throws {CatalogError} if there is no such entry, or an option is invalid
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

  /**
   * Announces entries that will be added later, such as tools from another server. The server then declares the
   * capability to clients that connect before these entries exist.
   */
  expect(): void {
    this.#registry.expect();
  }

  /** Removes an entry, and returns whether it existed. Running calls continue. */
  remove(key: string): boolean {
    return this.#registry.remove(key);
  }

  /** Finds an entry in its listed form. */
  find(key: string): Definition | undefined {
    return this.#registry.find(key)?.definition;
  }

  /** Returns all entries in their listed form and order. */
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

/** The argument to complete, and who may complete it. */
export type DynamicCompletion = CompleteOptions & AccessOptions;

/** The value that a user has typed so far, and the arguments that already have a value. */
export interface CompletionArguments {
  readonly name: string;
  readonly value: string;
  readonly arguments: { readonly [name: string]: unknown };
}

/** Adds and removes completions while the server runs. */
export class CompletionSection {
  readonly #registry: CompletionRegistry;
  readonly #createInvoke: CreateInvoke;

  constructor(registry: CompletionRegistry, createInvoke: CreateInvoke) {
    this.#registry = registry;
    this.#createInvoke = createInvoke;
  }

  /**
   * Adds the completion of an argument. The function returns strings or `{ values, total, hasMore }`.
   *
   * @throws {CatalogError} if the argument has one, or an option is invalid
   */
  add(options: DynamicCompletion, handler: DynamicHandler<CompletionArguments>): void {
    const key = formatCompletionKey(options);
    const { access } = buildAccess(options);
    const invoke = this.#createInvoke(handler as HandlerFunction);
    this.#registry.add({ key, invoke, ...(access && { access }), ...buildLimits(options) });
  }

  /** Announces completions that will be added later, so the server declares the capability. */
  expect(): void {
    this.#registry.expect();
  }

  /** Removes the completion of an argument, and returns whether it existed. */
  remove(options: CompleteOptions): boolean {
    return this.#registry.remove(formatCompletionKey(options));
  }
}
