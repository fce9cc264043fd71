import { hash } from 'node:crypto';
import type { ExecutionContext, OnApplicationBootstrap } from '@nestjs/common';
import { type ApplicationConfig, type ModuleRef, Reflector } from '@nestjs/core';
import type { ThrottlerLimitDetail, ThrottlerRequest, ThrottlerStorage } from '@nestjs/throttler';
import { describeFailure } from '../../core/log/describe-failure.js';
import { Logger } from '../../core/logger/logger.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import { limitDecision, settleWithin, withDecisionTimeout } from '../../core/async/timeouts.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import { CatalogError } from '../catalog/catalog.error.js';
import type { CatalogEntry } from '../catalog/entries.js';
import { GlobalEnhancers } from '../catalog/invocation/enhancers.js';
import { HandlerCall, HandlerExecutionContext } from '../catalog/invocation/execution-context.js';
import { GUARDS_METADATA } from '../catalog/invocation/nest-contexts.js';
import type { Registries } from '../catalog/registries.js';
import { nameCaller } from '../context/caller-identity.js';
import type { RequestContext } from '../context/request-context.js';
import type { HandlerKind } from '../decorators/handler-metadata.js';
import { RefusalLog } from '../log/refusal-log.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';
import type { ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { ThrottleOptions } from '../settings/limit-options.js';
import {
  findSkipped,
  findThrottled,
  findThrottlerOptions,
  getThrottlerStorage,
  loadThrottler,
  nameThrottlers,
  type ThrottlerPackage,
  type ThrottlerParts,
} from './throttler-package.js';

/**
 * The limited handler as `@nestjs/throttler` sees it: a class and a function that may have the package's decorators.
 */
interface ThrottledTarget {
  readonly classRef: object;
  readonly handler: object;
  /** Identifies the handler in every process. */
  readonly key: readonly string[];
}

/** Stands in for the class of handlers added at run time. */
class AddedHandlers {}

/** Stands in for the class of protocol methods without a handler. */
class ProtocolMethods {}

/** Describes a catalog entry's handler. */
function describeEntry(kind: string, { key, origin }: CatalogEntry): ThrottledTarget {
  const { classRef = AddedHandlers, method = nameFunction(key) } = origin ?? {};
  return { classRef, handler: method, key: [kind, key] };
}

/** Describes a protocol method. */
function describeMethod(method: string): ThrottledTarget {
  return { classRef: ProtocolMethods, handler: nameFunction(method), key: ['method', method] };
}

/** The application's functions, such as `skipIf`, may read the handler's name. */
function nameFunction(name: string): () => void {
  return Object.defineProperty(() => undefined, 'name', { value: name });
}

/** The execution context of a request that `@nestjs/throttler` and the application's functions receive. */
class ThrottledContext extends HandlerExecutionContext {
  readonly key: readonly string[];
  /** Whether the response contains the limit and the remaining requests. */
  showsLimit = true;

  constructor(
    { classRef, handler, key }: ThrottledTarget,
    readonly request: RequestContext,
    args: unknown,
  ) {
    const host = { getClass: () => classRef, getHandler: () => handler } as Partial<ExecutionContext>;
    super(new HandlerCall(args, request), host);
    this.key = key;
  }
}

type Increment = ThrottlerStorage['increment'];
type Count = Awaited<ReturnType<Increment>>;

/** How long a call waits for the storage, in milliseconds. */
const LONGEST_WAIT_MS = 1000;

/** How long the storage is left alone after a failure, in milliseconds, so that not every call waits for it. */
const REST_MS = 1000;

const NOT_COUNTED: Count = { totalHits: 0, timeToExpire: 0, isBlocked: false, timeToBlockExpire: 0 };

/**
 * Limits how long calls wait for a storage. While the storage fails, calls are allowed or denied, as
 * `throttle.onStorageError` specifies.
 */
class ResilientStorage implements ThrottlerStorage {
  readonly #logger = new Logger('McpLimits');
  readonly #reports = new OncePerMinute();
  #restsUntil = 0;

  constructor(
    private readonly storage: ThrottlerStorage,
    private readonly onStorageError: NonNullable<ThrottleOptions['onStorageError']>,
  ) {}

  async increment(...counted: Parameters<Increment>): Promise<Count> {
    if (performance.now() < this.#restsUntil) return this.#doWithout();
    try {
      const work = this.storage.increment(...counted);
      if (await settleWithin(work, LONGEST_WAIT_MS)) return await work;
      this.#report(`it did not respond within ${LONGEST_WAIT_MS} ms`);
    } catch (failure) {
      this.#report(describeFailure(failure).text);
    }
    return this.#doWithout();
  }

  #doWithout(): Count {
    if (this.onStorageError === 'allow') return NOT_COUNTED;
    const text = 'The server cannot check its rate limits: try again later';
    throw new McpError(ErrorCode.InternalError, text, undefined, 503);
  }

  #report(reason: string): void {
    this.#restsUntil = performance.now() + REST_MS;
    if (!this.#reports.isDue('failure')) return;
    const outcome = this.onStorageError === 'allow' ? 'are not limited' : 'are rejected';
    this.#logger.error(`The "ThrottlerModule" storage is failing, so calls ${outcome}: ${reason}`);
  }
}

/** Admits requests, or throws. */
interface ThrottleGate {
  /** @throws {RateLimitedError} if the request exceeds a limit */
  canActivate(context: ThrottledContext): Promise<boolean>;
}

/** Stands in for the HTTP request if a call has none. */
const NO_REQUEST = Object.freeze({ headers: Object.freeze({}) });

/**
 * Creates the package's own guard, adapted to count by caller and handler and to throw MCP errors.
 *
 * @param server the server key; servers of one application do not share counts
 */
async function createGate(
  { ThrottlerGuard }: ThrottlerPackage,
  { options, storage }: ThrottlerParts,
  server: string,
): Promise<ThrottleGate> {
  const refusals = new RefusalLog(new Logger('McpThrottler'));

  class McpThrottler extends ThrottlerGuard {
    protected override async getTracker(_request: unknown, context?: ExecutionContext): Promise<string> {
      return nameCaller((context as ThrottledContext).request);
    }

    protected override generateKey(context: ExecutionContext, tracker: string, throttler: string): string {
      const { key } = context as ThrottledContext;
      return hash('sha256', JSON.stringify(['mcp', server, ...key, throttler, tracker]), 'hex');
    }

    protected override getRequestResponse(context: ExecutionContext) {
      const http = context.switchToHttp();
      const req = http.getRequest<Record<string, unknown> | undefined>() ?? NO_REQUEST;
      return { req, res: http.getResponse<Record<string, unknown>>() };
    }

    protected override handleRequest(request: ThrottlerRequest): Promise<boolean> {
      const { setHeaders = this.commonOptions.setHeaders ?? true } = request.throttler;
      (request.context as ThrottledContext).showsLimit = setHeaders;
      return super.handleRequest(request);
    }

    protected override async throwThrottlingException(
      context: ExecutionContext,
      detail: ThrottlerLimitDetail,
    ): Promise<void> {
      const { limit, totalHits, timeToBlockExpire, key, ttl } = detail;
      const retryAfterMs = Math.max(0, timeToBlockExpire) * 1000;
      const given = await this.getErrorMessage(context, detail);
      const text =
        given === this.errorMessage ? `Too many requests: try again in ${timeToBlockExpire} s` : given;
      const quota = { limit, remaining: Math.max(0, limit - totalHits) };
      const { showsLimit, request } = context as ThrottledContext;
      const line = `A call was rejected because it exceeded its rate limit: ${limit} in ${ttl / 1000} s`;
      refusals.warn(line, request, key);
      throw new RateLimitedError(text, { retryAfterMs, ...(showsLimit && quota) });
    }
  }
  const gate = new McpThrottler(options, storage, new Reflector());
  await gate.onModuleInit();
  return gate;
}

const NO_THROTTLERS =
  'requires throttlers: import "ThrottlerModule.forRoot([{ ttl: 60_000, limit: 30 }])" from "@nestjs/throttler"';

/** The parts that exist once the package is loaded. */
interface Loaded {
  readonly throttler: ThrottlerPackage;
  readonly gate: ThrottleGate;
  /** Whether one of the application's global guards counts the calls of all handlers. */
  readonly isLeftToGlobal: boolean;
}

/** Enforces the rate limits from the application's `ThrottlerModule` and the `@nestjs/throttler` decorators. */
export class Throttling implements OnApplicationBootstrap {
  readonly #targets = new WeakMap<CatalogEntry, ThrottledTarget | 'unlimited'>();
  readonly #registries;
  #loaded: Loaded | undefined;
  #onChange: (() => void) | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly config: ApplicationConfig,
    private readonly identity: ServerIdentity,
    private readonly settings: ServerSettings,
    { tools: tool, resources: resource, templates, prompts, completions }: Registries,
  ) {
    const others = { prompt: prompts, completion: completions };
    this.#registries = { tool, resource, resourceTemplate: templates, ...others };
  }

  /** Whether anything is limited. */
  get isOn(): boolean {
    return this.#loaded !== undefined;
  }

  /**
   * @throws {McpConfigurationError} if `throttle` is set, but no throttler is configured
   * @throws {CatalogError} if a decorator is used without throttlers, or names one that does not exist
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
    const { onStorageError = 'allow' } = throttle ?? {};
    const given = getThrottlerStorage(this.moduleRef, throttler);
    // The package's own storage is in memory and responds immediately.
    const isMemory = given instanceof throttler.ThrottlerStorageService;
    const storage = isMemory ? given : new ResilientStorage(given, onStorageError);
    const gate = await createGate(throttler, { options, storage }, this.identity.server);
    const { config } = new GlobalEnhancers(this.config, this.settings.globalEnhancers);
    const isLeftToGlobal = hasGlobalThrottler(throttler, config);
    this.#loaded = { throttler, gate, isLeftToGlobal };
    this.#onChange?.();
  }

  /** Registers a listener that is called once limits apply. */
  watch(listener: () => void): void {
    this.#onChange = listener;
  }

  /**
   * Counts a handler call, if it is limited. Work that an extension runs later was counted with its request.
   *
   * @throws {RateLimitedError} if the call exceeds a limit
   */
  async admit(kind: HandlerKind, entry: CatalogEntry, { args, context }: Attempt): Promise<void> {
    const loaded = this.#loaded;
    if (loaded === undefined || context.hosting !== undefined) return;
    const target = this.#findTarget(kind, entry, loaded);
    if (target !== 'unlimited') await countRequest(loaded.gate, new ThrottledContext(target, context, args));
  }

  /**
   * Returns a function that counts a protocol method's requests.
   *
   * @see {@link ThrottleOptions.methods}
   */
  createMethodGate(method: string): (context: RequestContext) => Promise<void> {
    const target = describeMethod(method);
    return async (context) => {
      if (context.hosting !== undefined) return;
      const gate = this.#loaded?.gate;
      if (gate !== undefined) await countRequest(gate, new ThrottledContext(target, context, context.params));
    };
  }

  #findTarget(kind: HandlerKind, entry: CatalogEntry, loaded: Loaded): ThrottledTarget | 'unlimited' {
    const present = this.#targets.get(entry);
    if (present !== undefined) return present;
    const target = this.#isLimited(entry, loaded) ? describeEntry(kind, entry) : 'unlimited';
    this.#targets.set(entry, target);
    return target;
  }

  #isLimited(entry: CatalogEntry, { throttler, isLeftToGlobal }: Loaded): boolean {
    const decorated = listDecorated(entry);
    const isGuarded = entry.origin !== undefined && entry.isPrebuilt !== true;
    if (isGuarded && (isLeftToGlobal || hasThrottlerGuard(throttler, decorated))) return false;
    return this.settings.throttle !== undefined || findThrottled(decorated).length > 0;
  }

  /**
   * Checks that each throttler named by a decorator exists. Returns whether any decorator limits a handler.
   *
   * @param known the configured throttlers; absent without `ThrottlerModule`
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
 * Counts a request. The application's own functions, such as `skipIf`, have a time limit.
 *
 * @throws {RateLimitedError} if the call exceeds a limit
 */
async function countRequest(gate: ThrottleGate, context: ThrottledContext): Promise<void> {
  const longestMs = limitDecision();
  await withDecisionTimeout(
    gate.canActivate(context),
    longestMs,
    () => new Error(`The "ThrottlerModule" options did not resolve to a limit within ${longestMs} ms`),
  );
}

/** A call to be counted. */
export interface Attempt {
  readonly args: unknown;
  readonly context: RequestContext;
}

function listDecorated({ origin }: CatalogEntry): readonly object[] {
  return [origin?.method, origin?.classRef].filter((owner) => owner !== undefined);
}

function explainUnknown(
  kind: HandlerKind,
  { origin, key }: CatalogEntry,
  { unknown, known }: { readonly unknown: string; readonly known: readonly string[] | undefined },
): CatalogError {
  const className = origin?.classRef?.name ?? '';
  const place = { kind, className, methodName: origin?.method?.name ?? key };
  return CatalogError.at(place, CatalogError.unknownThrottler(unknown, known));
}

/** A guard class or instance. */
type Guard = object | ((...dependencies: never[]) => unknown);

/** Returns whether one of these guards is `ThrottlerGuard` or extends it. */
function isThrottling({ ThrottlerGuard }: ThrottlerPackage, guards: readonly Guard[]): boolean {
  return guards.some((guard) => {
    if (guard instanceof ThrottlerGuard || guard === ThrottlerGuard) return true;
    return typeof guard === 'function' && guard.prototype instanceof ThrottlerGuard;
  });
}

/**
 * Returns whether a method or its class has one of the application's `ThrottlerGuard`s, which then counts the calls.
 */
function hasThrottlerGuard(throttler: ThrottlerPackage, decorated: readonly object[]): boolean {
  const guards = decorated.flatMap(
    (owner): readonly Guard[] => Reflect.getMetadata(GUARDS_METADATA, owner) ?? [],
  );
  return isThrottling(throttler, guards);
}

/** Returns whether the application has a global `ThrottlerGuard` that also applies to handlers. */
function hasGlobalThrottler(throttler: ThrottlerPackage, config: ApplicationConfig): boolean {
  const scoped = config.getGlobalRequestGuards().map(({ metatype }) => metatype as Guard);
  return isThrottling(throttler, [...config.getGlobalGuards(), ...scoped]);
}
