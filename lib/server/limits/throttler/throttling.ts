import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationConfig, ModuleRef } from '@nestjs/core';
import { CatalogueError } from '../../catalogue/catalogue.error.js';
import { GlobalEnhancers } from '../../catalogue/invocation/global-enhancers.js';
import type { CatalogueEntry } from '../../catalogue/entries.js';
import {
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../catalogue/registries.js';
import { decideInTime, limitDecision } from '../../../core/waiting/decide-in-time.js';
import type { RequestContext } from '../../context/request-context.js';
import type { HandlerKind } from '../../decorators/handler-metadata.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { SERVER_IDENTITY, SERVER_SETTINGS, type ServerIdentity } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { createGate, type ThrottleGate } from './create-gate.js';
import { hasGlobalThrottler, hasOwnThrottler } from './find-own-guard.js';
import {
  findThrottlerOptions,
  getThrottlerStorage,
  loadThrottler,
  nameThrottlers,
  type ThrottlerPackage,
} from './load-throttler.js';
import { SteadyStorage } from './steady-storage.js';
import { ThrottledContext } from './throttled-context.js';
import { describeEntry, describeMethod, type ThrottledTarget } from './throttled-target.js';
import { findSkipped, findThrottled } from './throttler-metadata.js';

const NO_THROTTLERS =
  'needs throttlers: import "ThrottlerModule.forRoot([{ ttl: 60_000, limit: 30 }])" of "@nestjs/throttler"';

/** What limits, once it is loaded. */
interface Loaded {
  readonly throttler: ThrottlerPackage;
  readonly gate: ThrottleGate;
  /** Whether a guard of the application counts the calls of all handlers. */
  readonly isLeftToGlobal: boolean;
}

/** Limits requests as the application's `ThrottlerModule` and the decorators of `@nestjs/throttler` say. */
@Injectable()
export class Throttling implements OnApplicationBootstrap {
  readonly #targets = new WeakMap<CatalogueEntry, ThrottledTarget | 'unlimited'>();
  readonly #registries;
  #loaded: Loaded | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly config: ApplicationConfig,
    @Inject(SERVER_IDENTITY) private readonly identity: ServerIdentity,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    tool: ToolRegistry,
    resource: ResourceRegistry,
    resourceTemplate: ResourceTemplateRegistry,
    prompt: PromptRegistry,
    completion: CompletionRegistry,
  ) {
    this.#registries = { tool, resource, resourceTemplate, prompt, completion };
  }

  /** Whether anything is limited. */
  get isOn(): boolean {
    return this.#loaded !== undefined;
  }

  /**
   * @throws {McpConfigurationError} if `throttle` has nothing to limit by
   * @throws {CatalogueError} if a decorator has nothing to limit by, or names a throttler that there is not
   */
  async onApplicationBootstrap(): Promise<void> {
    const options = findThrottlerOptions(this.moduleRef);
    const known = options && nameThrottlers(options);
    const { throttle } = this.settings;
    if (throttle !== undefined && (known === undefined || known.length === 0)) {
      throw new McpConfigurationError('throttle', NO_THROTTLERS);
    }
    const isMarked = this.#assertThrottlers(known);
    if (options === undefined || (throttle === undefined && !isMarked)) return;
    const throttler = await loadThrottler();
    const { whenUnavailable = 'admit' } = throttle ?? {};
    const given = getThrottlerStorage(this.moduleRef, throttler);
    // The package's own storage is memory, which answers at once.
    const isMemory = given instanceof throttler.ThrottlerStorageService;
    const storage = isMemory ? given : new SteadyStorage(given, whenUnavailable);
    const gate = await createGate(throttler, { options, storage }, this.identity.server);
    const { config } = new GlobalEnhancers(this.config, this.settings.globalEnhancers);
    const isLeftToGlobal = hasGlobalThrottler(throttler, config);
    this.#loaded = { throttler, gate, isLeftToGlobal };
  }

  /**
   * Counts the call of a handler, if it is limited and was not counted before. What an extension runs apart from a request was counted
   * with that.
   *
   * @throws {RateLimitedError} if it is one too many
   */
  async admit(kind: HandlerKind, entry: CatalogueEntry, { args, context }: Attempt): Promise<void> {
    const loaded = this.#loaded;
    if (loaded === undefined || context.isCallCounted || context.hosting !== undefined) return;
    const target = this.#findTarget(kind, entry, loaded);
    if (target !== 'unlimited') await pass(loaded.gate, new ThrottledContext(target, context, args));
  }

  /**
   * Returns what counts the requests of a method.
   *
   * @see {@link ThrottleOptions.methods}
   */
  createMethodGate(method: string): (context: RequestContext) => Promise<void> {
    const target = describeMethod(method);
    return async (context) => {
      if (context.isCounted || context.hosting !== undefined) return;
      const gate = this.#loaded?.gate;
      if (gate !== undefined) await pass(gate, new ThrottledContext(target, context, context.params));
    };
  }

  #findTarget(kind: HandlerKind, entry: CatalogueEntry, loaded: Loaded): ThrottledTarget | 'unlimited' {
    const present = this.#targets.get(entry);
    if (present !== undefined) return present;
    const target = this.#isLimited(entry, loaded) ? describeEntry(kind, entry) : 'unlimited';
    this.#targets.set(entry, target);
    return target;
  }

  #isLimited(entry: CatalogueEntry, { throttler, isLeftToGlobal }: Loaded): boolean {
    const decorated = listDecorated(entry);
    const isGuarded = entry.origin !== undefined && entry.isMade !== true;
    if (isGuarded && (isLeftToGlobal || hasOwnThrottler(throttler, decorated))) return false;
    return this.settings.throttle !== undefined || findThrottled(decorated).length > 0;
  }

  /**
   * Checks that the decorators of limits have an effect. Tells whether any of them limits a handler.
   *
   * @param known the throttlers that there are; absent without the package's module
   */
  #assertThrottlers(known: readonly string[] | undefined): boolean {
    let isMarked = false;
    for (const [kind, registry] of Object.entries(this.#registries)) {
      for (const entry of registry.list()) {
        const throttled = findThrottled(listDecorated(entry));
        isMarked ||= throttled.length > 0;
        const named = known === undefined ? throttled : [...throttled, ...findSkipped(listDecorated(entry))];
        const unknown = named.find((name) => known?.includes(name) !== true);
        if (unknown !== undefined) throw explainUnknown(kind as HandlerKind, entry, { unknown, known });
      }
    }
    return isMarked;
  }
}

/**
 * Has a request counted. The application's own functions, such as `skipIf`, may take their time, but not for ever.
 *
 * @throws {RateLimitedError} if it is one too many
 */
async function pass(gate: ThrottleGate, context: ThrottledContext): Promise<void> {
  const longestMs = limitDecision();
  await decideInTime(
    gate.canActivate(context),
    longestMs,
    () => new Error(`The options of "ThrottlerModule" gave no limit within ${longestMs} ms`),
  );
}

/** A call that may be one too many. */
export interface Attempt {
  readonly args: unknown;
  readonly context: RequestContext;
}

function listDecorated({ origin }: CatalogueEntry): readonly object[] {
  return [origin?.method, origin?.classRef].filter((owner) => owner !== undefined);
}

function explainUnknown(
  kind: HandlerKind,
  { origin, key }: CatalogueEntry,
  { unknown, known }: { readonly unknown: string; readonly known: readonly string[] | undefined },
): CatalogueError {
  const className = origin?.classRef?.name ?? '';
  const place = { kind, className, methodName: origin?.method?.name ?? key };
  return CatalogueError.at(place, CatalogueError.unknownThrottler(unknown, known));
}
