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

/** How long a handler's failures are not logged again, because every list request may cause one. */
const PERIOD_MS = 60_000;

const KINDS: Readonly<Record<VisibleHandler['kind'], string>> = {
  tool: 'tool',
  resource: 'resource',
  resourceTemplate: 'resource template',
  prompt: 'prompt',
};

/** Logs that a handler is hidden because its visibility check failed. */
class VisibilityLog {
  readonly #logger = new Logger('Mcp');
  readonly #loggedAt = new WeakMap<VisibleHandler, number>();

  log(handler: VisibleHandler, failure: unknown, subject: LogSubject): void {
    const now = performance.now();
    if (now - (this.#loggedAt.get(handler) ?? -Infinity) < PERIOD_MS) return;
    this.#loggedAt.set(handler, now);
    const { kind, name } = handler;
    const what = `The ${KINDS[kind]} "${name}" is hidden, because its visibility check failed`;
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

/** How an entry is presented to the check. */
export interface VisibilityOptions {
  readonly until?: number | undefined;
  readonly admits?: EntryFilter | undefined;
}

/** Determines which entries callers see, using the handlers' predicates and the application's visibility provider. */
export class Visibility implements OnModuleInit {
  readonly #log = new VisibilityLog();
  /** How long the application may take to decide about all of a request's entries, in milliseconds. */
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

  /** Sets a listener for when entries may have been hidden or shown. */
  watch(listener: () => void): void {
    this.#onChange = listener;
  }

  /** @throws {McpConfigurationError} if no module provides the application's class */
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

  /** Returns the deadline for all of a request's visibility checks together. */
  startDeadline(): number {
    return performance.now() + this.#longestMs;
  }

  /** Selects a list's visible entries in order, up to a number. Each entry is checked once. */
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

  /** The application does not decide about the server's built-in entries. */
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
        `is "${given.name}", which no module provides as a singleton: add it to the "providers" of a module`,
        { cause },
      );
    }
  }
}

/** Asks the application, unless no time is left. */
function decideBefore<Decision>(
  ask: () => Decision | PromiseLike<Decision>,
  until: number,
): Decision | Promise<Decision> {
  const leftMs = until - performance.now();
  if (leftMs <= 0) throw new Error('the checks of other handlers used up the time limit');
  return withDecisionTimeout(ask(), leftMs, () => new Error(`it took longer than ${Math.ceil(leftMs)} ms`));
}
