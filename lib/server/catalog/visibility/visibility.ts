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
import { listWays } from '../access-paths.js';
import { selectInTurn } from './select-in-turn.js';

/** How long the same failure of a handler is not told again: each list may fail for each handler. */
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
  readonly #toldAt = new WeakMap<VisibleHandler, number>();

  tell(handler: VisibleHandler, failure: unknown, subject: LogSubject): void {
    const now = performance.now();
    if (now - (this.#toldAt.get(handler) ?? -Infinity) < PERIOD_MS) return;
    this.#toldAt.set(handler, now);
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

/** Tells whether an entry says itself who sees it. */
function hasPredicate(entry: CatalogEntry): boolean {
  return (entry as Listed).options.visible !== undefined;
}

function build({ definition, options, origin }: Listed): VisibleHandler {
  return { kind: findKind(definition), name: definition.name, options, ...origin };
}

/** Each kind of definition has a member that no other has. */
function findKind(definition: object): VisibleHandler['kind'] {
  if ('inputSchema' in definition) return 'tool';
  if ('uriTemplate' in definition) return 'resourceTemplate';
  return 'uri' in definition ? 'resource' : 'prompt';
}

/** Tells whether an entry exists for the caller. */
export type Admits = (entry: CatalogEntry) => boolean;

/** How an entry is seen. */
export interface SeeingOptions {
  readonly until?: number | undefined;
  readonly admits?: Admits | undefined;
}

/** Tells what callers see of the catalog, by the predicates of handlers and the application's provider for all of them. */
export class Visibility implements OnModuleInit {
  readonly #log = new VisibilityLog();
  /** Milliseconds for which the application may be asked of the entries of a request. */
  readonly #longestMs: number;
  readonly #registries: readonly Registry<CatalogEntry>[];
  #provider: HandlerVisibility | undefined;
  /** Each request asks for it, so changes are told and not looked for. */
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

  /** Has a listener called whenever there may be something hidden, or nothing any more. */
  watch(listener: () => void): void {
    this.#onChange = listener;
  }

  /** @throws {McpConfigurationError} when no module provides the application's class */
  onModuleInit(): void {
    const { visibility } = this.settings.catalog;
    this.#provider = typeof visibility === 'function' ? this.#find(visibility) : visibility;
    this.#forget();
  }

  /** Whether there is anything that somebody may not see. */
  get isDeclared(): boolean {
    return (this.#isDeclared ??= this.#registries.some((registry) => this.isConditional(registry.list())));
  }

  /** Tells whether some of these entries may be hidden from somebody. */
  isConditional(entries: readonly CatalogEntry[]): boolean {
    return entries.some((entry) => this.#isAskedOf(entry));
  }

  /**
   * Tells whether a caller sees an entry. It never throws: what cannot be told, or not in time, is hidden.
   *
   * @param until when it must be told, by the clock of `performance` @default {@link startClock}
   * @param admits tells which of the entries count through which it is seen @default all
   */
  sees(
    entry: CatalogEntry,
    context: VisibilityContext,
    { until = this.startClock(), admits }: SeeingOptions = {},
  ): boolean | Promise<boolean> {
    if (!this.#isAskedOf(entry)) return true;
    return entry.through === undefined
      ? this.#judge(entry, context, until)
      : this.#seesThrough(entry, context, { until, admits });
  }

  /** Says until when the application may be asked of the entries of a request, all of them together. */
  startClock(): number {
    return performance.now() + this.#longestMs;
  }

  /** Selects of a list what a caller sees, from its beginning on until there are so many. Each entry is asked of once. */
  select<Entry extends CatalogEntry>(
    entries: readonly Entry[],
    most: number,
    context: VisibilityContext,
    admits?: Admits,
  ): Promise<ReadonlySet<Entry>> {
    const until = this.startClock();
    return selectInTurn(entries, most, (entry) => this.sees(entry, context, { until, admits }));
  }

  #forget(): void {
    this.#isDeclared = undefined;
    this.#onChange?.();
  }

  async #seesThrough(
    entry: CatalogEntry,
    context: VisibilityContext,
    { until, admits }: SeeingOptions,
  ): Promise<boolean> {
    const ways = listWays(entry).filter((way) => admits?.(way) !== false);
    return (await selectInTurn(ways, 1, (way) => this.sees(way, context, { until }))).size > 0;
  }

  /** Nothing is known to the application of what is the server's own. */
  #isAskedOf(entry: CatalogEntry): boolean {
    const { through } = entry;
    if (through !== undefined) {
      const ways = through();
      return ways.length === 0 || ways.some((way) => this.#isAskedOf(way));
    }
    return entry.isOwn !== true && (this.#provider !== undefined || hasPredicate(entry));
  }

  async #judge(entry: CatalogEntry, context: VisibilityContext, until: number): Promise<boolean> {
    const handler = describeHandler(entry);
    try {
      const { visible } = handler.options;
      const own: unknown =
        visible === undefined || (await withTimeout(() => visible.call(handler.options, context), until));
      if (own !== true) return false;
      // Any other answer is not understood, so the entry is hidden.
      const provider = this.#provider;
      const shared: unknown =
        provider === undefined || (await withTimeout(() => provider.isVisible(handler, context), until));
      return shared === true;
    } catch (error) {
      this.#log.tell(handler, error, context);
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
function withTimeout<Decision>(
  ask: () => Decision | PromiseLike<Decision>,
  until: number,
): Decision | Promise<Decision> {
  const leftMs = until - performance.now();
  if (leftMs <= 0) throw new Error('the checks of other handlers have used up the time');
  return withDecisionTimeout(ask(), leftMs, () => new Error(`it took longer than ${Math.ceil(leftMs)} ms`));
}
