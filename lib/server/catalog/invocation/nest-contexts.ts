// Internals of Nest are imported from the files that define them. These paths are the same in Nest 11 and 12.
import { ExternalContextCreator, type ApplicationConfig, type ModulesContainer } from '@nestjs/core';
import { ExternalExceptionFilterContext } from '@nestjs/core/exceptions/external-exception-filter-context.js';
import type { ExternalExceptionsHandler } from '@nestjs/core/exceptions/external-exceptions-handler.js';
import { GuardsConsumer } from '@nestjs/core/guards/guards-consumer.js';
import { GuardsContextCreator } from '@nestjs/core/guards/guards-context-creator.js';
import type { NestContainer } from '@nestjs/core/injector/container.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { InterceptorsContextCreator } from '@nestjs/core/interceptors/interceptors-context-creator.js';
import { PipesConsumer } from '@nestjs/core/pipes/pipes-consumer.js';
import { PipesContextCreator } from '@nestjs/core/pipes/pipes-context-creator.js';
import { POSITIONAL_PARAMETERS } from '../../decorators/parameter-metadata.js';
import { noteGuardLimit } from './failures/guard-limits.js';
import { HandlerExceptionsHandler } from './failures/handler-exceptions-handler.js';
import type { HandlerCall } from './handler-call.js';
import { HandlerExecutionContext } from './handler-execution-context.js';
import { isPipeable, type Extract } from './parameters.js';
import { takeAnswer } from './response/take-answer.js';
import { settle } from './take-last-value.js';
import { watchInterceptor } from './watch-interceptor.js';

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

/** What Nest knows of the application. */
export interface NestParts {
  readonly container: NestContainer;
  readonly modules: ModulesContainer;
  /** Where the global enhancers that run are registered. */
  readonly config: ApplicationConfig;
  /** Tells whether an interceptor is global. */
  readonly isGlobal: (interceptor: object) => boolean;
}

type ExchangeArguments = Parameters<ExternalContextCreator['exchangeKeysForValues']>;

/** Nest's chain of guards, interceptors, pipes and filters around the handlers of one module. */
export class HandlerContextCreator extends ExternalContextCreator {
  readonly #moduleKey: string;
  readonly #extracts: readonly Extract[];

  /** @param extracts gives the parameters of the handler their values, by their index */
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

  /** Nest looks among providers only; a handler may be a controller's method too. */
  override getContextModuleKey(): string {
    return this.#moduleKey;
  }

  /** Gives parameters to handlers that are without parameter decorators, so that pipes apply to their arguments. */
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

  /** Custom decorators take their values from the execution context, as Nest has it. */
  #takeFromCall<Parameter extends { readonly index: number; readonly type: unknown }>(parameter: Parameter) {
    const extract = this.#extracts[parameter.index];
    if (typeof parameter.type !== 'number' || extract === undefined) return parameter;
    return { ...parameter, extractValue: ({ args, context }: HandlerCall) => extract(args, context) };
  }

  /** Hides everything except arguments from pipes, as Nest does on a route. A global pipe would take the context for a body. */
  override async getParamValue(...parameter: Parameters<ExternalContextCreator['getParamValue']>) {
    const [value, { type }] = parameter;
    return isPipeable(type) ? super.getParamValue(...parameter) : value;
  }
}

/** Shows guards a call as what it is. */
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

/** Makes one value of what a handler or an interceptor gives, until the call is cancelled. */
export class HandlerInterceptorsConsumer extends InterceptorsConsumer {
  /** @param isGlobal tells whether an interceptor is global */
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
    return call.usedResponse === undefined ? value : takeAnswer(value, call.usedResponse);
  }
}

/** Creates filters that give one value too. */
class HandlerFilterContext extends ExternalExceptionFilterContext {
  override create(...args: Parameters<ExternalExceptionFilterContext['create']>): ExternalExceptionsHandler {
    return new HandlerExceptionsHandler(super.create(...args));
  }
}
