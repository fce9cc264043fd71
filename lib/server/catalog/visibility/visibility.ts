import type { OnModuleInit } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { Logger } from '../../../core/logger/logger.js';
import { limitDecision, withDecisionTimeout } from '../../../core/async/timeouts.js';
import type { LogSubject } from '../../log/format-line.js';
import { logFailure } from '../../log/log-failure.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { HandlerVisibility, VisibleHandler } from '../../settings/visibility.interface.js';
import type { VisibilityContext } from '../../settings/scoped-call.interface.js';
import type { CatalogEntry, ListedEntry } from '../entries.js';
import type {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../registries.js';
import type { Registry } from '../registry.js';
import { listAccessPaths } from '../access-paths.js';
import { selectSequentially } from './select-sequentially.js';

/** How long the same failure of a handler is not logged again, because every list request may cause it. */
const PERIOD_MS = 60_000;

const KINDS: Readonly<Record<VisibleHandler['kind'], string>> = {
  tool: 'tool',
  resource: 'resource',
  resourceTemplate: 'resource template',
  prompt: 'prompt',
};

/** Logs that a handler is hidden, because the check of who sees it failed. */
class VisibilityLog {
  readonly #logger = new Logger('Mcp');
  readonly #loggedAt = new WeakMap<VisibleHandler, number>();

  log(handler: VisibleHandler, failure: unknown, subject: LogSubject): void {
    const now = performance.now();
    if (now - (this.#loggedAt.get(handler) ?? -Infinity) < PERIOD_MS) return;
    this.#loggedAt.set(handler, now);
    const { kind, name } = handler;
    const what = `The ${KINDS[kind]} "${name}" is hidden, because the check of who sees it failed`;
    logFailure(this.#logger, what, { failure, subject });
  }
}

type Listed = ListedEntry<{ readonly name: string }, VisibleHandler['options']>;

const described = new WeakMap<CatalogEntry, VisibleHandler>();

/** Describes an entry for the visibility check, once. */
function describeHandler(entry: CatalogEntry): VisibleHandler {
  const known = described.get(entry) ?? build(entry as Listed);
  described.set(entry, known);
  return known;
}

/** Returns whether an entry has a visibility predicate. */
function hasPredicate(entry: CatalogEntry): boolean {
  return (entry as Listed).options.visible !== undefined;
}

function build({ definition, options, origin }: Listed): VisibleHandler {
  return { kind: findKind(definition), name: definition.name, options, ...origin };
}

/** Each kind of definition has a unique property. */
function findKind(definition: object): VisibleHandler['kind'] {
  if ('inputSchema' in definition) return 'tool';
  if ('uriTemplate' in definition) return 'resourceTemplate';
  return 'uri' in definition ? 'resource' : 'prompt';
}

/** Returns whether the caller may use an entry. */
export type EntryFilter = (entry: CatalogEntry) => boolean;

/** How an entry is seen. */
export interface VisibilityOptions {
  readonly until?: number | undefined;
  readonly admits?: EntryFilter | undefined;
}

/** Decides which entries callers see, using the predicates of handlers and the application's visibility provider. */
export class Visibility implements OnModuleInit {
  readonly #log = new VisibilityLog();
  /** Milliseconds for which the application may be asked of the entries of a request. */
  readonly #longestMs: number;
  readonly #registries: readonly Registry<CatalogEntry>[];
  #provider: HandlerVisibility | undefined;
  /** Every request reads it, so it is cached until the catalog changes. */
  #isDeclared: boolean | undefined;
  #onChange: (() => void) | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    tools: ToolRegistry,
    resources: ResourceRegistry,
    templates: ResourceTemplateRegistry,
    prompts: PromptRegistry,
    private readonly settings: ServerSettings,
  ) {
    this.#longestMs = limitDecision(settings.callTimeoutMs);
    this.#registries = [tools, resources, templates, prompts] as Registry<CatalogEntry>[];
    for (const { changes$ } of this.#registries) changes$.subscribe(() => this.#forget());
  }

  /** Sets a listener that is called when entries may have been hidden or shown. */
  watch(listener: () => void): void {
    this.#onChange = listener;
  }

  /** @throws {McpConfigurationError} when no module provides the application's class */
  onModuleInit(): void {
    const { visibility } = this.settings.catalog;
    this.#provider = typeof visibility === 'function' ? this.#find(visibility) : visibility;
    this.#forget();
  }

  /** Whether any entry may be hidden from a caller. */
  get isDeclared(): boolean {
    return (this.#isDeclared ??= this.#registries.some((registry) => this.isConditional(registry.list())));
  }

  /** Returns whether any of these entries may be hidden from a caller. */
  isConditional(entries: readonly CatalogEntry[]): boolean {
    return entries.some((entry) => this.#mayBeHidden(entry));
  }

  /**
   * Returns whether a caller sees an entry. It never throws: if a check fails or is too slow, the entry is hidden.
   *
   * @param until the deadline, on the clock of `performance` @default {@link startDeadline}
   * @param admits returns which of the entries that use this one may make it visible @default all
   */
  isVisible(
    entry: CatalogEntry,
    context: VisibilityContext,
    { until = this.startDeadline(), admits }: VisibilityOptions = {},
  ): boolean | Promise<boolean> {
    if (!this.#mayBeHidden(entry)) return true;
    return entry.usedBy === undefined
      ? this.#check(entry, context, until)
      : this.#isVisibleThroughUsers(entry, context, { until, admits });
  }

  /** Returns the deadline for all visibility checks of a request together. */
  startDeadline(): number {
    return performance.now() + this.#longestMs;
  }

  /** Selects of a list what a caller sees, from its beginning on until there are so many. Each entry is asked of once. */
  select<Entry extends CatalogEntry>(
    entries: readonly Entry[],
    most: number,
    context: VisibilityContext,
    admits?: EntryFilter,
  ): Promise<ReadonlySet<Entry>> {
    const until = this.startDeadline();
    return selectSequentially(entries, most, (entry) => this.isVisible(entry, context, { until, admits }));
  }

  #forget(): void {
    this.#isDeclared = undefined;
    this.#onChange?.();
  }

  async #isVisibleThroughUsers(
    entry: CatalogEntry,
    context: VisibilityContext,
    { until, admits }: VisibilityOptions,
  ): Promise<boolean> {
    const users = listAccessPaths(entry).filter((user) => admits?.(user) !== false);
    return (await selectSequentially(users, 1, (user) => this.isVisible(user, context, { until }))).size > 0;
  }

  /** Nothing is known to the application of what is the server's own. */
  #mayBeHidden(entry: CatalogEntry): boolean {
    const { usedBy } = entry;
    if (usedBy !== undefined) {
      const users = usedBy();
      return users.length === 0 || users.some((user) => this.#mayBeHidden(user));
    }
    return entry.isOwn !== true && (this.#provider !== undefined || hasPredicate(entry));
  }

  async #check(entry: CatalogEntry, context: VisibilityContext, until: number): Promise<boolean> {
    const handler = describeHandler(entry);
    try {
      const { visible } = handler.options;
      const own: unknown =
        visible === undefined || (await decideBefore(() => visible.call(handler.options, context), until));
      if (own !== true) return false;
      // Any other value is invalid, so the entry is hidden.
      const provider = this.#provider;
      const shared: unknown =
        provider === undefined || (await decideBefore(() => provider.isVisible(handler, context), until));
      return shared === true;
    } catch (error) {
      this.#log.log(handler, error, context);
      return false;
    }
  }

  #find(given: Exclude<ServerSettings['catalog']['visibility'], HandlerVisibility | undefined>) {
    try {
      return this.moduleRef.get<HandlerVisibility>(given, { strict: false });
    } catch (cause) {
      throw new McpConfigurationError(
        'catalog.visibility',
        `is "${given.name}", which no module provides as a singleton: add it to the "providers" of one`,
        { cause },
      );
    }
  }
}

/** Asks the application, which is not asked at all if there is no time left. */
function decideBefore<Decision>(
  ask: () => Decision | PromiseLike<Decision>,
  until: number,
): Decision | Promise<Decision> {
  const leftMs = until - performance.now();
  if (leftMs <= 0) throw new Error('the checks of other handlers have used up the time');
  return withDecisionTimeout(ask(), leftMs, () => new Error(`it took longer than ${Math.ceil(leftMs)} ms`));
}
