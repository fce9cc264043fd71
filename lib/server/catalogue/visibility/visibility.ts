import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { decideInTime, limitDecision } from '../../../core/waiting/decide-in-time.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { HandlerVisibility } from '../../settings/visibility.interface.js';
import type { VisibilityContext } from '../../settings/visibility-context.interface.js';
import type { CatalogueEntry } from '../entries.js';
import { PromptRegistry, ResourceRegistry, ResourceTemplateRegistry, ToolRegistry } from '../registries.js';
import type { Registry } from '../registry.js';
import { describeHandler, hasPredicate } from './describe-handler.js';
import { selectInTurn } from './select-in-turn.js';
import { listWays } from '../ways.js';
import { VisibilityLog } from './visibility-log.js';

/** Tells whether an entry exists for the caller. */
export type Admits = (entry: CatalogueEntry) => boolean;

/** How an entry is seen. */
export interface SeeingOptions {
  readonly until?: number | undefined;
  readonly admits?: Admits | undefined;
}

/** Tells what callers see of the catalogue, by the predicates of handlers and the application's provider for all of them. */
@Injectable()
export class Visibility implements OnModuleInit {
  readonly #log = new VisibilityLog();
  /** Milliseconds for which the application may be asked of the entries of a request. */
  readonly #longestMs: number;
  readonly #registries: readonly Registry<CatalogueEntry>[];
  #provider: HandlerVisibility | undefined;
  /** Each request asks for it, so changes are told and not looked for. */
  #isDeclared: boolean | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    tools: ToolRegistry,
    resources: ResourceRegistry,
    templates: ResourceTemplateRegistry,
    prompts: PromptRegistry,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {
    this.#longestMs = limitDecision(settings.callTimeoutMs);
    this.#registries = [tools, resources, templates, prompts] as Registry<CatalogueEntry>[];
    for (const { changes$ } of this.#registries) changes$.subscribe(() => (this.#isDeclared = undefined));
  }

  /** @throws {McpConfigurationError} when no module provides the application's class */
  onModuleInit(): void {
    const { visibility } = this.settings.catalogue;
    this.#provider = typeof visibility === 'function' ? this.#find(visibility) : visibility;
    this.#isDeclared = undefined;
  }

  /** Whether there is anything that somebody may not see. */
  get isDeclared(): boolean {
    return (this.#isDeclared ??= this.#registries.some((registry) => this.isConditional(registry.list())));
  }

  /** Tells whether some of these entries may be hidden from somebody. */
  isConditional(entries: readonly CatalogueEntry[]): boolean {
    return entries.some((entry) => this.#isAskedOf(entry));
  }

  /**
   * Tells whether a caller sees an entry. It never throws: what cannot be told, or not in time, is hidden.
   *
   * @param until when it must be told, by the clock of `performance` @default {@link startClock}
   * @param admits tells which of the entries count through which it is seen @default all
   */
  sees(
    entry: CatalogueEntry,
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
  select<Entry extends CatalogueEntry>(
    entries: readonly Entry[],
    most: number,
    context: VisibilityContext,
    admits?: Admits,
  ): Promise<ReadonlySet<Entry>> {
    const until = this.startClock();
    return selectInTurn(entries, most, (entry) => this.sees(entry, context, { until, admits }));
  }

  async #seesThrough(
    entry: CatalogueEntry,
    context: VisibilityContext,
    { until, admits }: SeeingOptions,
  ): Promise<boolean> {
    const ways = listWays(entry).filter((way) => admits?.(way) !== false);
    return (await selectInTurn(ways, 1, (way) => this.sees(way, context, { until }))).size > 0;
  }

  /** Nothing is known to the application of what is the server's own. */
  #isAskedOf(entry: CatalogueEntry): boolean {
    const { through } = entry;
    if (through !== undefined) {
      const ways = through();
      return ways.length === 0 || ways.some((way) => this.#isAskedOf(way));
    }
    return entry.isOwn !== true && (this.#provider !== undefined || hasPredicate(entry));
  }

  async #judge(entry: CatalogueEntry, context: VisibilityContext, until: number): Promise<boolean> {
    const handler = describeHandler(entry);
    try {
      const { visible } = handler.options;
      const own: unknown =
        visible === undefined || (await inTime(() => visible.call(handler.options, context), until));
      if (own !== true) return false;
      // Any other answer is not understood, so the entry is hidden.
      const provider = this.#provider;
      const shared: unknown =
        provider === undefined || (await inTime(() => provider.isVisible(handler, context), until));
      return shared === true;
    } catch (error) {
      this.#log.tell(handler, error, context);
      return false;
    }
  }

  #find(given: Exclude<ServerSettings['catalogue']['visibility'], HandlerVisibility | undefined>) {
    try {
      return this.moduleRef.get<HandlerVisibility>(given, { strict: false });
    } catch (cause) {
      throw new McpConfigurationError(
        'catalogue.visibility',
        `is "${given.name}", which no module provides as a singleton: add it to the "providers" of one`,
        { cause },
      );
    }
  }
}

/** Asks the application, which is not asked at all if there is no time left. */
function inTime<Decision>(
  ask: () => Decision | PromiseLike<Decision>,
  until: number,
): Decision | Promise<Decision> {
  const leftMs = until - performance.now();
  if (leftMs <= 0) throw new Error('the checks of other handlers have used up the time');
  return decideInTime(ask(), leftMs, () => new Error(`it took longer than ${Math.ceil(leftMs)} ms`));
}
