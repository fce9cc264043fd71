import { Injectable } from '@nestjs/common';
import { ContextIdFactory, ExternalContextCreator, ModuleRef, ModulesContainer } from '@nestjs/core';
// Nest internals are imported from the files that define them, at paths that are the same in Nest 11 and 12.
import { ExternalExceptionFilterContext } from '@nestjs/core/exceptions/external-exception-filter-context.js';
import { GuardsConsumer } from '@nestjs/core/guards/guards-consumer.js';
import { GuardsContextCreator } from '@nestjs/core/guards/guards-context-creator.js';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import type { ContextId, InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { InterceptorsContextCreator } from '@nestjs/core/interceptors/interceptors-context-creator.js';
import { PipesConsumer } from '@nestjs/core/pipes/pipes-consumer.js';
import { PipesContextCreator } from '@nestjs/core/pipes/pipes-context-creator.js';
import { CLIENT_CONTEXT_TYPE } from '../client-module.constants.js';
import type { McpQuestionContext } from './input-request.decorators.js';

/**
 * The execution context of an input request. Nest treats the first argument as the HTTP request, or as a socket's
 * client. Here, it is the data that the server sent. A guard that read the user from it would trust the server.
 */
class InputRequestExecutionContext extends ExecutionContextHost {
  override switchToHttp(): ReturnType<ExecutionContextHost['switchToHttp']> {
    return Object.assign(this, { getRequest: nothing, getResponse: nothing, getNext: nothing });
  }

  override switchToWs(): ReturnType<ExecutionContextHost['switchToWs']> {
    return Object.assign(super.switchToWs(), { getClient: nothing, getData: () => this.getArgByIndex(0) });
  }
}

/** Gives guards the execution context for input requests. */
class InputRequestGuardsConsumer extends GuardsConsumer {
  override createContext(...[args, instance, callback]: Parameters<GuardsConsumer['createContext']>) {
    return new InputRequestExecutionContext(args, classOf(instance), callback);
  }
}

/** Gives interceptors the execution context for input requests. */
class InputRequestInterceptorsConsumer extends InterceptorsConsumer {
  override createContext(...[args, instance, callback]: Parameters<InterceptorsConsumer['createContext']>) {
    return new InputRequestExecutionContext(args, classOf(instance), callback);
  }
}

function classOf(instance: object): ConstructorParameters<typeof ExecutionContextHost>[1] {
  return instance.constructor as ConstructorParameters<typeof ExecutionContextHost>[1];
}

function nothing(): never {
  return undefined as never;
}

/** Calls one of the application's handlers. */
export type HandleInputRequest = (params: unknown, context: McpQuestionContext) => Promise<unknown>;

const ALL_ENHANCERS = { guards: true, interceptors: true, filters: true };

/**
 * Creates handlers from methods, with the guards, interceptors and filters on the method and its class. Global ones
 * do not apply, because they are written for requests that the application serves.
 */
@Injectable()
export class InputRequestHandlerCreator {
  readonly #creator: ExternalContextCreator;

  constructor(
    private readonly moduleRef: ModuleRef,
    modules: ModulesContainer,
  ) {
    const container = moduleRef['container'];
    this.#creator = new ExternalContextCreator(
      new GuardsContextCreator(container),
      new InputRequestGuardsConsumer(),
      new InterceptorsContextCreator(container),
      new InputRequestInterceptorsConsumer(),
      modules,
      new PipesContextCreator(container),
      new PipesConsumer(),
      new ExternalExceptionFilterContext(container),
    );
  }

  /** Creates the handler for a provider's method. */
  create(host: InstanceWrapper, methodName: string): HandleInputRequest {
    const isStatic = !host.isTransient && host.isDependencyTreeStatic();
    return async (params, context) => {
      if (isStatic) return this.#bind(host, methodName, host.instance as object)(params, context);
      const contextId = ContextIdFactory.create();
      const instance: object = await this.moduleRef.resolve(host.token, contextId, { strict: false });
      return this.#bind(host, methodName, instance, contextId)(params, context);
    };
  }

  #bind(host: InstanceWrapper, methodName: string, instance: object, contextId: ContextId = STATIC_CONTEXT) {
    return this.#creator.create(
      instance,
      Reflect.get(instance, methodName) as (...args: unknown[]) => unknown,
      methodName,
      undefined,
      undefined,
      contextId,
      host.id,
      ALL_ENHANCERS,
      CLIENT_CONTEXT_TYPE,
    );
  }
}
