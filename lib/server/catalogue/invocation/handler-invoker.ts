import { Inject, Injectable, type Type } from '@nestjs/common';
import { ApplicationConfig, ContextIdFactory, ModuleRef, ModulesContainer } from '@nestjs/core';
import type { McpContext } from '../../context/mcp-context.interface.js';
import { MCP_CONTEXT_TYPE, PARAMETER_METADATA, SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { CatalogueError } from '../catalogue.error.js';
import type { Invoke } from '../entries.js';
import {
  buildDecoratedCall,
  buildDirectCall,
  extractParameter,
  type HandlerFunction,
} from './direct-call.js';
import {
  assertEnhancersResolve,
  findParameters,
  findScopedGlobalEnhancers,
  hasEnhancers,
  hasGlobalEnhancers,
  type HandlerMethod,
} from './enhancers.js';
import { buildCallArguments, type CallArguments } from './handler-execution-context.js';
import {
  HandlerContextCreator,
  Injector,
  STATIC_CONTEXT,
  type ContextId,
  type InstanceWrapper,
  type NestParts,
  type ParamsFactory,
} from './nest-contexts.js';

/** Builds the call of a handler for one instance of its class. */
type Bind = (instance: object, contextId: ContextId) => Invoke;

const ALL_ENHANCERS = { guards: true, interceptors: true, filters: true };

const PARAMETERS: ParamsFactory = {
  exchangeKeyForValue: (kind, field, [, context, args]: CallArguments) =>
    extractParameter(kind, field, [args, context]),
};

/**
 * Makes handlers callable: with the guards, interceptors, pipes and filters that apply to them, or directly where none
 * does; once for singletons, for each call where something in the chain is request-scoped or transient.
 */
@Injectable()
export class HandlerInvoker {
  readonly #injector = new Injector();
  readonly #nest: NestParts;

  constructor(
    private readonly moduleRef: ModuleRef,
    modules: ModulesContainer,
    config: ApplicationConfig,
    @Inject(SERVER_SETTINGS) settings: ServerSettings,
  ) {
    const container = moduleRef['container'];
    this.#nest = { container, modules, ...(settings.globalEnhancers && { config }) };
  }

  /**
   * Makes a method of a provider or a controller callable.
   *
   * @throws {CatalogueError} when an enhancer of the method would be skipped
   */
  create(host: InstanceWrapper, methodName: string): Invoke {
    const handler = describeMethod(host, methodName);
    assertEnhancersResolve(handler);
    const bind = this.#createBind(handler);
    const globals = this.#findScopedGlobals();
    const isStatic = !host.isTransient && host.isDependencyTreeStatic() && globals.length === 0;
    if (isStatic) return bind(host.instance as object, STATIC_CONTEXT);
    return async (args, context) => {
      const { instance, contextId } = await this.#load(handler, globals, context);
      return bind(instance, contextId)(args, context);
    };
  }

  #createBind(handler: HandlerMethod): Bind {
    const { config } = this.#nest;
    const isChained = hasEnhancers(handler) || (config !== undefined && hasGlobalEnhancers(config));
    return isChained ? this.#createChainedBind(handler) : createDirectBind(handler);
  }

  #createChainedBind({ host, module, methodName }: HandlerMethod): Bind {
    const creator = new HandlerContextCreator(module.token, this.#nest);
    return (instance, contextId) => {
      const method = selectMethod(instance, methodName);
      const call = creator.create(
        instance,
        method,
        methodName,
        PARAMETER_METADATA,
        PARAMETERS,
        contextId,
        host.id,
        ALL_ENHANCERS,
        MCP_CONTEXT_TYPE,
      );
      return (args, context) => call(...buildCallArguments(args, context));
    };
  }

  #findScopedGlobals(): readonly InstanceWrapper[] {
    const { config } = this.#nest;
    return config === undefined ? [] : findScopedGlobalEnhancers(config);
  }

  /** Makes the instances of one call; within it, the request that providers inject is the call's context. */
  async #load({ host, module }: HandlerMethod, globals: readonly InstanceWrapper[], context: McpContext) {
    const contextId: ContextId = ContextIdFactory.getByRequest(context);
    const request: unknown = host.isDependencyTreeDurable() ? contextId.payload : context;
    this.moduleRef.registerRequestByContextId(request, contextId);
    const loading = globals.map((item) =>
      this.#injector.loadInjectable(item, item.host ?? module, contextId, host),
    );
    await Promise.all(loading);
    const isController = module.controllers.get(host.token) === host;
    const siblings = isController ? module.controllers : module.providers;
    const load = this.#injector.loadPerContext<object>(host.instance, module, siblings, contextId, host);
    return { instance: await load, contextId };
  }
}

function createDirectBind(handler: HandlerMethod): Bind {
  const parameters = findParameters(handler);
  const build = Object.keys(parameters).length === 0 ? buildDirectCall : buildDecoratedCall;
  return (instance) => {
    const method = selectMethod(instance, handler.methodName);
    return build((...args) => method.apply(instance, args), parameters);
  };
}

function describeMethod(host: InstanceWrapper, methodName: string): HandlerMethod {
  const { host: module } = host;
  if (module === undefined) throw CatalogueError.outsideModules(host.name);
  const classRef: Type = host.isNotMetatype ? host.instance.constructor : host.metatype;
  return { host, module, classRef, methodName, method: selectMethod(classRef.prototype, methodName) };
}

function selectMethod(owner: object, methodName: string): HandlerFunction {
  return (owner as { readonly [name: string]: HandlerFunction })[methodName] as HandlerFunction;
}
