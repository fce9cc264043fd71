// Nest internals are imported from the files that define them. These paths are the same in Nest 11 and 12.
import { ExternalContextCreator, type ApplicationConfig, type ModulesContainer } from '@nestjs/core';
import { ExternalExceptionFilterContext } from '@nestjs/core/exceptions/external-exception-filter-context.js';
import { ExternalExceptionsHandler } from '@nestjs/core/exceptions/external-exceptions-handler.js';
import { GuardsConsumer } from '@nestjs/core/guards/guards-consumer.js';
import { GuardsContextCreator } from '@nestjs/core/guards/guards-context-creator.js';
import type { NestContainer } from '@nestjs/core/injector/container.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { InterceptorsContextCreator } from '@nestjs/core/interceptors/interceptors-context-creator.js';
import { PipesConsumer } from '@nestjs/core/pipes/pipes-consumer.js';
import { PipesContextCreator } from '@nestjs/core/pipes/pipes-context-creator.js';
import { POSITIONAL_PARAMETERS } from '../../decorators/parameter.decorators.js';
import { type HandlerCall, HandlerExecutionContext } from './execution-context.js';
import { isPipeable, type Extract } from './parameters.js';
import { takeSentBody, buildSentFailure } from './response/handler-response.js';
import { settle } from './direct-call.js';
import { watchInterceptor } from './interceptors.js';
import { type ArgumentsHost, HttpException, HttpStatus } from '@nestjs/common';
import { describeFailure } from '../../../core/log/describe-failure.js';
import { Logger } from '../../../core/logger/logger.js';
import { formatLine } from '../../log/format-line.js';
import { isExpected } from './is-expected.js';
import { parseRetryAfter } from '../../../core/protocol/headers/http-headers.js';

export {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
} from '@nestjs/common/constants.js';
export { CLASS_SERIALIZER_OPTIONS } from '@nestjs/common/serializer/class-serializer.constants.js';
export type { ParamsFactory } from '@nestjs/core/helpers/external-context-creator.js';
export { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
export { Injector } from '@nestjs/core/injector/injector.js';
export { InstanceWrapper, type ContextId } from '@nestjs/core/injector/instance-wrapper.js';
export type { Module } from '@nestjs/core/injector/module.js';

/** Nest's metadata about the application. */
export interface NestParts {
  readonly container: NestContainer;
  readonly modules: ModulesContainer;
  /** Where the global enhancers that run are registered. */
  readonly config: ApplicationConfig;
  /** Returns whether an interceptor is global. */
  readonly isGlobal: (interceptor: object) => boolean;
}

type ExchangeArguments = Parameters<ExternalContextCreator['exchangeKeysForValues']>;

/** Nest's chain of guards, interceptors, pipes and filters around the handlers of one module. */
export class HandlerContextCreator extends ExternalContextCreator {
  readonly #moduleKey: string;
  readonly #extracts: readonly Extract[];

  /** @param extracts the functions that extract the parameters, by index */
  constructor(moduleKey: string, extracts: readonly Extract[], nest: NestParts) {
    const { container, modules, config, isGlobal } = nest;
    super(
      new GuardsContextCreator(container, config),
      new HandlerGuardsConsumer(),
      new InterceptorsContextCreator(container, config),
      new HandlerInterceptorsConsumer(isGlobal),
      modules,
      new PipesContextCreator(container, config),
      new PipesConsumer(),
      new HandlerFilterContext(container, config),
    );
    this.#moduleKey = moduleKey;
    this.#extracts = extracts;
  }

  /** Nest looks only among providers, but a handler may also be a controller method. */
  override getContextModuleKey(): string {
    return this.#moduleKey;
  }

  /** Adds parameter metadata to handlers without parameter decorators, so that pipes apply to their arguments. */
  override exchangeKeysForValues(...given: ExchangeArguments) {
    const [keys, metadata, module, factory, contextId, inquirerId, createContext] = given;
    const [parameters, described] =
      keys.length === 0 ? [Object.keys(POSITIONAL_PARAMETERS), POSITIONAL_PARAMETERS] : [keys, metadata];
    const create: typeof createContext =
      createContext && ((args) => HandlerExecutionContext.from(createContext(args)));
    return super
      .exchangeKeysForValues(parameters, described, module, factory, contextId, inquirerId, create)
      .map((parameter) => this.#takeFromCall(parameter));
  }

  /** Custom decorators read the execution context, as in Nest. */
  #takeFromCall<Parameter extends { readonly index: number; readonly type: unknown }>(parameter: Parameter) {
    const extract = this.#extracts[parameter.index];
    if (typeof parameter.type !== 'number' || extract === undefined) return parameter;
    return { ...parameter, extractValue: ({ args, context }: HandlerCall) => extract(args, context) };
  }

  /** Applies pipes only to arguments, as Nest does on a route. A global pipe would validate the context as a body. */
  override async getParamValue(...parameter: Parameters<ExternalContextCreator['getParamValue']>) {
    const [value, { type }] = parameter;
    return isPipeable(type) ? super.getParamValue(...parameter) : value;
  }
}

/** Presents a call to guards with its actual type. */
class HandlerGuardsConsumer extends GuardsConsumer {
  override async tryActivate(...given: Parameters<GuardsConsumer['tryActivate']>): Promise<boolean> {
    try {
      return await super.tryActivate(...given);
    } catch (thrown) {
      const [, args] = given;
      const [call] = args as [HandlerCall];
      throw noteGuardLimit(thrown, call);
    }
  }

  override createContext(...host: Parameters<GuardsConsumer['createContext']>): HandlerExecutionContext {
    return HandlerExecutionContext.from(super.createContext(...host));
  }
}

/** Reduces the output of a handler or an interceptor to one value, until the call is cancelled. */
export class HandlerInterceptorsConsumer extends InterceptorsConsumer {
  /** @param isGlobal returns whether an interceptor is global */
  constructor(private readonly isGlobal: NestParts['isGlobal']) {
    super();
  }

  override createContext(
    ...host: Parameters<InterceptorsConsumer['createContext']>
  ): HandlerExecutionContext {
    return HandlerExecutionContext.from(super.createContext(...host));
  }

  override async intercept(...given: Parameters<InterceptorsConsumer['intercept']>): Promise<unknown> {
    const [interceptors, args, ...others] = given;
    const [call] = args as [HandlerCall];
    const watched = interceptors.map((one) => watchInterceptor(one, this.isGlobal));
    const value = await settle(await super.intercept(watched, args, ...others), call.context);
    return call.usedResponse === undefined ? value : takeSentBody(value, call.usedResponse);
  }
}

/** Creates filters whose output is also reduced to one value. */
class HandlerFilterContext extends ExternalExceptionFilterContext {
  override create(...args: Parameters<ExternalExceptionFilterContext['create']>): ExternalExceptionsHandler {
    return new HandlerExceptionsHandler(super.create(...args));
  }
}

const logger = new Logger('McpHandlers');

/** The outcome of a call after its exception filter. */
type Outcome = { readonly failure: unknown } | { readonly value: unknown };

/**
 * Logs the original exception of a call if a filter replaces it, because callers and later reports only see the
 * replacement. Expected exceptions are logged at debug level.
 */
function logFirstException({ context }: HandlerCall, exception: unknown, outcome: Outcome): void {
  // A canceled call gets no response, and is not an error.
  if (('failure' in outcome && outcome.failure === exception) || context.signal.aborted) return;
  try {
    const { text, stack } = describeFailure(exception);
    const line = formatLine(`A call failed before its exception filter: ${text}`, context);
    if (isMeant(exception, outcome)) logger.debug(line, stack);
    else logger.error(line, stack);
  } catch {
    // A logger that throws must not suppress the response.
  }
}

/** A filter that returns nothing hides the exception, unless the exception is meant for callers. */
function isMeant(exception: unknown, outcome: Outcome): boolean {
  if ('failure' in outcome) return isExpected(outcome.failure);
  return outcome.value !== undefined || isExpected(exception);
}

/**
 * Rethrows exceptions that no filter handles: Nest's handler would log them too, but the dispatcher knows which errors
 * are expected. An error response that a filter sends becomes the failure of the call.
 */
class HandlerExceptionsHandler extends ExternalExceptionsHandler {
  readonly #chosen: ExternalExceptionsHandler;

  /** @param chosen contains the handler's filters */
  constructor(chosen: ExternalExceptionsHandler) {
    super();
    this.#chosen = chosen;
  }

  override async next(exception: Error, host: ArgumentsHost): Promise<unknown> {
    const context = HandlerExecutionContext.from(host);
    const { call } = context;
    try {
      const value = await this.#handle(exception, context);
      logFirstException(call, exception, { value });
      return value;
    } catch (failure) {
      logFirstException(call, exception, { failure });
      throw failure;
    } finally {
      call.usedResponse?.finish();
    }
  }

  /** Returns a filter's result. Without one, it throws the call's error. */
  async #handle(exception: Error, context: HandlerExecutionContext): Promise<unknown> {
    const { call } = context;
    const handled: Promise<unknown> | null | undefined = this.#chosen.invokeCustomFilters(exception, context);
    const value = await settle(await handled, call.context);
    const { forwardedError, sentResponse } = call.usedResponse ?? {};
    if (forwardedError !== undefined && forwardedError.error !== exception) throw forwardedError.error;
    if (sentResponse !== undefined) throw buildSentFailure(sentResponse, exception);
    const isHandled = handled !== undefined && handled !== null;
    // Adapter methods return the response itself.
    if (isHandled && (value === undefined || value !== call.usedResponse)) return value;
    throw exception;
  }
}

/** When to retry, if a guard does not specify it. */
const USUAL_MS = 1000;

/** When to retry, keyed by guard errors. */
const RETRY_AFTER_MS = new WeakMap<object, number>();

/**
 * Records that a guard refused a call with status 429, as `ThrottlerGuard` does. Returns the guard's error. This
 * limit is the server's own, whereas a handler's error may come from a service that it uses.
 */
function noteGuardLimit(thrown: unknown, call: HandlerCall): unknown {
  if (!isTooMany(thrown)) return thrown;
  const headers = Object.entries(call.usedResponse?.getHeaders() ?? {});
  // Named throttlers set separate headers.
  const waits = headers
    .filter(([name]) => name.startsWith('retry-after'))
    .map(([, value]) => parseRetryAfter(String(value), Date.now()) ?? 0);
  RETRY_AFTER_MS.set(thrown, waits.length === 0 ? USUAL_MS : Math.max(...waits));
  return thrown;
}

/**
 * Returns the milliseconds after which to retry, if a guard limited the call. An exception filter may have replaced
 * that error.
 */
export function findGuardWait(failure: unknown): number | undefined {
  if (!isTooMany(failure)) return undefined;
  const { cause } = failure;
  return RETRY_AFTER_MS.get(failure) ?? (isTooMany(cause) ? RETRY_AFTER_MS.get(cause) : undefined);
}

function isTooMany(thrown: unknown): thrown is HttpException {
  return thrown instanceof HttpException && thrown.getStatus() === HttpStatus.TOO_MANY_REQUESTS.valueOf();
}
