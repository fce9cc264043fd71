import type { OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { Logger } from '../../../core/logger/logger.js';
import type { HandlerKind, HandlerMetadata } from '../../decorators/handler-metadata.js';
import type {
  AccessOptions,
  CompleteOptions,
  ResourceTemplateCompletionOptions,
} from '../../settings/handler-options.interface.js';
import type { ServerIdentity } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { VisibleHandler } from '../../settings/visibility.interface.js';
import { assertScopeVariables, buildAccess, buildLimits } from '../building/build-access.js';
import { buildAppOptions } from '../building/build-app-page.js';
import {
  buildPromptEntry,
  buildResourceEntry,
  buildResourceTemplateEntry,
  buildToolEntry,
} from '../building/build-entries.js';
import { addArgumentDescriptions, describeResolver } from '../building/graphql-resolver.js';
import {
  completeParameters,
  findArgumentsType,
  type ArgumentsType,
  type TypedMethod,
} from '../building/method-parameters.js';
import {
  describeUnconvertedArgument,
  describeFixedTemplate,
  listHandlerWarnings,
  describeMissingSchema,
  describeUnlistedArgument,
  describeMissingSerializer,
  formatUnserved,
} from '../building/handler-warnings.js';
import { assertDecoratorOptions } from '../building/handler-option-checks.js';
import { CatalogError, formatHandler, type HandlerLocation } from '../catalog.error.js';
import type { Access, Invoke } from '../entries.js';
import type { HandlerInvoker } from '../invocation/handler-invoker.js';
import { formatCompletionKey, type Registries } from '../registries.js';
import type { Entry, Registry, NewEntry } from '../registry.js';
import type { HandlerExplorer, DecoratedMethod, HandlerHost } from './handler.explorer.js';
import type { ServerAssignments } from './server-assignments.js';
import type { LazyModuleLoader } from '@nestjs/core';

/** Selects the application's handlers that belong to one server. */
class OwnHandlers {
  /**
   * Handlers that this server excludes because of their tags, while another server includes other handlers of the
   * class.
   */
  readonly #leftOut = new Set<string>();

  constructor(
    private readonly assignments: ServerAssignments,
    private readonly server: string,
  ) {}

  /**
   * Returns whether a handler belongs to the server. A completion belongs to its target's server, and the target may
   * be loaded later.
   */
  has(host: HandlerHost, { kind, options }: HandlerMetadata, methodName: string): boolean {
    if (kind === 'completion') {
      return this.assignments.belongs(host, this.server) || this.assignments.mayShare(host, this.server);
    }
    // Anything other than a list is refused when the entry is built.
    const tags = Array.isArray(options.tags) ? options.tags : [];
    const isOurs = this.assignments.belongs(host, this.server, tags);
    if (isOurs || !this.assignments.mayShare(host, this.server)) return isOurs;
    if (kind === 'prompt') this.#leftOut.add(formatSubject('prompt', options.name ?? methodName));
    if (kind === 'resourceTemplate') this.#leftOut.add(formatSubject('template', options.uriTemplate));
    return false;
  }

  /** Returns whether tags exclude a completion's target from the server. */
  leavesOut(options: CompleteOptions): boolean {
    return this.#leftOut.has(
      'prompt' in options
        ? formatSubject('prompt', options.prompt)
        : formatSubject('template', options.resourceTemplate),
    );
  }
}

function formatSubject(kind: 'prompt' | 'template', key: string): string {
  return `${kind} ${key}`;
}

/** Kinds whose handlers are called in the same way, so one method may be of several kinds. */
const COMBINABLE: readonly ReadonlySet<HandlerKind>[] = [
  new Set(['resource', 'resourceTemplate']),
  new Set(['completion']),
];

/**
 * Asserts that a method's decorators can be combined.
 *
 * @throws {CatalogError} if they cannot
 */
function assertCombinable(handlers: readonly HandlerMetadata[]): void {
  const kinds = handlers.map(({ kind }) => kind);
  const isCombinable = COMBINABLE.some((combinable) => kinds.every((kind) => combinable.has(kind)));
  if (kinds.length > 1 && !isCombinable) throw CatalogError.notCombinable(kinds);
}

/** Facts about a handler that its decorator does not provide. */
interface Loaded {
  readonly invoke: Invoke;
  readonly location: HandlerLocation;
  readonly method: TypedMethod;
  readonly access: AccessOptions;
  readonly origin: Pick<VisibleHandler, 'classRef' | 'method'>;
}

/** A completion whose prompt or template may be missing. */
interface UncheckedCompletion {
  readonly location: HandlerLocation;
  readonly access?: Access;
}

/** Fills a server's registries with the handlers that belong to it. */
export class CatalogLoader implements OnModuleInit, OnApplicationBootstrap {
  readonly #logger = new Logger('Mcp');
  readonly #owners = new WeakMap<Entry, HandlerLocation>();
  readonly #uncheckedCompletions = new Map<CompleteOptions, UncheckedCompletion>();
  readonly #own: OwnHandlers;
  #isBootstrapped = false;

  constructor(
    private readonly registries: Registries,
    private readonly explorer: HandlerExplorer,
    private readonly assignments: ServerAssignments,
    private readonly invoker: HandlerInvoker,
    private readonly identity: ServerIdentity,
    private readonly settings: Pick<ServerSettings, 'serverInfo'>,
  ) {
    this.#own = new OwnHandlers(assignments, identity.server);
  }

  /** @throws {CatalogError} if a handler cannot be served as declared */
  onModuleInit(): void {
    this.invoker.prepare();
    this.#loadNew();
  }

  /**
   * Adds the handlers of modules that were loaded after the start.
   *
   * @throws {CatalogError} if a handler cannot be served as declared
   */
  loadLate(): void {
    this.assignments.refresh();
    this.#loadNew();
    if (this.#isBootstrapped) this.#checkCompletions();
  }

  #loadNew(): void {
    for (const host of this.explorer.explore()) {
      host.methods.forEach((method) => this.#load(host, method));
      if (!this.assignments.belongs(host, this.identity.server)) continue;
      host.unserved.forEach((name) => this.#logger.warn(formatUnserved(`${host.className}.${name}`)));
    }
  }

  /**
   * Checks completions once providers have had time to add prompts and templates themselves.
   *
   * @throws {CatalogError} if there is nothing to complete
   */
  onApplicationBootstrap(): void {
    this.#isBootstrapped = true;
    this.#checkCompletions();
  }

  #checkCompletions(): void {
    for (const [options, { location, access }] of this.#uncheckedCompletions) {
      const isLeftOut = this.#findNames(options) === undefined && this.#own.leavesOut(options);
      if (isLeftOut) this.registries.completions.remove(formatCompletionKey(options));
      else withLocation(location, () => this.#assertCompletable(options, access));
    }
    this.#uncheckedCompletions.clear();
  }

  #warnIf(problem: string | undefined): void {
    if (problem !== undefined) this.#logger.warn(problem);
  }

  #load(handlerHost: HandlerHost, { methodName, handlers, access }: DecoratedMethod): void {
    const { host, className, classRef } = handlerHost;
    const method = { classRef, methodName };
    const origin = buildOrigin(classRef, methodName);
    let invoke: Invoke | undefined;
    for (const handler of handlers) {
      if (!this.#own.has(handlerHost, handler, methodName)) continue;
      const location = { kind: handler.kind, className, methodName };
      withLocation(location, () => {
        assertCombinable(handlers);
        assertDecoratorOptions(handler.kind, handler.options);
        completeParameters(method);
        listHandlerWarnings(handler, method, location).forEach((problem) => this.#warnIf(problem));
        this.#warnIf(
          describeMissingSerializer(location, this.invoker.findUnservedSerializer(Object.values(origin))),
        );
        invoke ??= this.invoker.create(host, methodName);
        this.#add(handler, { invoke, location, method, access, origin });
      });
    }
  }

  #add({ kind, options }: HandlerMetadata, { invoke, location, method, access, origin }: Loaded): void {
    const { methodName: name } = location;
    const type = findArgumentsType(method);
    if (kind === 'tool') {
      const graphql = describeResolver(method, type, () => this.explorer.listClasses());
      const inputSchema =
        options.inputSchema ?? graphql.inputSchema ?? this.#takeSchema(type, location, 'inputSchema');
      const described = { name, ...graphql, ...options, ...access, ...(inputSchema && { inputSchema }) };
      const entry = addArgumentDescriptions(buildToolEntry(described, invoke), method);
      this.#warnIf(describeUnlistedArgument(method, location, entry.definition.inputSchema));
      return this.#put(this.registries.tools, { ...entry, origin }, location);
    }
    if (kind === 'resource' || kind === 'app') {
      const given =
        kind === 'app' ? buildAppOptions({ name, ...options }, this.settings.serverInfo) : options;
      const entry = buildResourceEntry({ name, ...given, ...access }, invoke);
      return this.#put(this.registries.resources, { ...entry, origin }, location);
    }
    if (kind === 'resourceTemplate') {
      const entry = buildResourceTemplateEntry({ name, ...options, ...access }, invoke);
      this.#warnIf(describeFixedTemplate(entry.key, entry.template.variables));
      return this.#put(this.registries.templates, { ...entry, origin }, location);
    }
    if (kind === 'prompt') {
      const given = options.arguments ?? this.#takeSchema(type, location, 'arguments');
      const described = { name, ...options, ...access, ...(given && { arguments: given }) };
      const entry = buildPromptEntry(described, invoke);
      this.#warnIf(describeUnconvertedArgument(formatHandler(location), given));
      return this.#put(this.registries.prompts, { ...entry, origin }, location);
    }
    const key = formatCompletionKey(options);
    const built = buildAccess(access);
    this.#uncheckedCompletions.set(options, { location, ...built });
    return this.#put(
      this.registries.completions,
      { key, invoke, origin, ...built, ...buildLimits(access) },
      location,
    );
  }

  /** Uses a parameter's type as the schema if no option sets one. */
  #takeSchema(type: ArgumentsType, location: HandlerLocation, option: string) {
    if (type.classes !== undefined) throw CatalogError.severalClasses(type.classes, option);
    this.#warnIf(describeMissingSchema(type, location, option));
    return type.schema;
  }

  #put<Listed extends Entry>(
    registry: Registry<Listed>,
    entry: NewEntry<Listed>,
    location: HandlerLocation,
  ): void {
    const present = registry.find(entry.key);
    const owner = present && this.#owners.get(present);
    if (owner !== undefined) throw CatalogError.takenBy(owner, registry.describe(entry.key));
    this.#owners.set(registry.add(entry), location);
  }

  #assertCompletable(options: CompleteOptions, access: Access | undefined): void {
    const names = this.#findNames(options);
    const [kind, key] =
      'prompt' in options
        ? (['prompt', options.prompt] as const)
        : (['resource template', options.resourceTemplate] as const);
    if (names === undefined) throw CatalogError.nothingToComplete(kind, key);
    if (!names.includes(options.argument)) {
      throw CatalogError.noSuchArgument(`${kind} "${key}"`, options.argument, names);
    }
    assertScopeVariables(access, { source: `the ${kind} "${key}"`, names });
  }

  /** Finds the arguments or variables to complete. Returns `undefined` if the prompt or the template does not exist. */
  #findNames(options: CompleteOptions): readonly string[] | undefined {
    return 'prompt' in options ? this.#findArguments(options.prompt) : this.#findVariables(options);
  }

  #findArguments(prompt: string): readonly string[] | undefined {
    const entry = this.registries.prompts.find(prompt);
    return entry && (entry.definition.arguments ?? []).map(({ name }) => name);
  }

  #findVariables({ resourceTemplate }: ResourceTemplateCompletionOptions): readonly string[] | undefined {
    return this.registries.templates.find(resourceTemplate)?.template.variables;
  }
}

function buildOrigin(classRef: object, methodName: string): Loaded['origin'] {
  const method: unknown = Reflect.get(Reflect.get(classRef, 'prototype') as object, methodName);
  return { classRef, method } as Loaded['origin'];
}

/** Prefixes errors with the handler's location. */
function withLocation(location: HandlerLocation, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw CatalogError.at(location, error);
  }
}

/**
 * Adds the handlers from modules that the application loads with `LazyModuleLoader`. Nest runs no lifecycle hooks for
 * such a module, so this wraps the loader.
 */
export class LazyModules implements OnModuleInit {
  constructor(
    private readonly modules: LazyModuleLoader,
    private readonly catalog: CatalogLoader,
  ) {}

  onModuleInit(): void {
    const load = this.modules.load.bind(this.modules);
    this.modules.load = async (...given) => {
      const reference = await load(...given);
      this.catalog.loadLate();
      return reference;
    };
  }
}
