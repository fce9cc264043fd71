import type { NestInterceptor, Type } from '@nestjs/common';
import {
  type ApplicationConfig,
  ContextIdFactory,
  type ModuleRef,
  type ModulesContainer,
} from '@nestjs/core';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { McpContext, McpRequest } from '../../context/mcp-context.interface.js';
import { POSITIONAL_PARAMETERS } from '../../decorators/parameter.decorators.js';
import { loadSerializer } from '../../schema/dto/serialize-instances.js';
import { MCP_CONTEXT_TYPE, PARAMETER_METADATA } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { CatalogError } from '../catalog.error.js';
import type { CatalogEntry, Invoke } from '../entries.js';
import {
  buildDecoratedCall,
  buildDirectCall,
  type HandlerFunction,
  type FunctionCalls,
} from './direct-call.js';
import {
  assertEnhancersResolve,
  findParameters,
  findSerializerDecorator,
  hasEnhancers,
  hasOwnSerializer,
  type HandlerMethod,
  GlobalEnhancers,
} from './enhancers.js';
import { HandlerCall } from './execution-context.js';
import {
  HandlerContextCreator,
  HandlerInterceptorsConsumer,
  Injector,
  STATIC_CONTEXT,
  type ContextId,
  type InstanceWrapper,
  type NestParts,
  type ParamsFactory,
} from './nest-contexts.js';
import { assertParametersServed, buildExtracts } from './parameters.js';

const NO_HEADERS = Object.freeze({});

/** The prototypes that expose request properties, keyed by the prototypes they extend. */
const openPrototypes = new WeakMap<object, object>();

/**
 * Exposes the HTTP request's properties on a context, behind the context's own, for providers that controllers and
 * handlers share. The object stays the same, so all guards and providers in one call share it.
 *
 * @param payload the properties that a `ContextIdStrategy` adds
 */
function showRequest(context: McpContext, payload?: unknown): McpRequest {
  const prototype = Object.getPrototypeOf(context) as object;
  Object.setPrototypeOf(context, getOpenPrototype(prototype));
  for (const [name, value] of Object.entries(isObject(payload) ? payload : {})) {
    // A strategy cannot override context properties, such as the caller.
    if (!(name in context))
      Object.defineProperty(context, name, { value, configurable: true, writable: true });
  }
  return context as McpRequest;
}

function getOpenPrototype(prototype: object): object {
  const known = openPrototypes.get(prototype);
  if (known !== undefined) return known;
  const open = new Proxy(Object.create(prototype) as object, {
    get: (_open, name, context: McpContext) =>
      name in prototype ? Reflect.get(prototype, name, context) : readRequest(context, name),
  });
  openPrototypes.set(prototype, open);
  openPrototypes.set(open, open);
  return open;
}

/** Libraries, and Nest itself, identify an HTTP request by symbols, but a call is a separate request. */
function readRequest({ http }: McpContext, name: string | symbol): unknown {
  const request = Object(http?.request) as object;
  if (typeof name === 'symbol') return undefined;
  if (!(name in request)) return readOfGraphql(http, name) ?? (name === 'headers' ? NO_HEADERS : undefined);
  const value: unknown = Reflect.get(request, name);
  // Methods know their own object only.
  return typeof value === 'function' ? value.bind(request) : value;
}

/** GraphQL providers inject the GraphQL context with the same token, and read `req` from it. */
function readOfGraphql(http: McpContext['http'], name: string): unknown {
  return name === 'req' ? http?.request : undefined;
}

/** Builds a handler call for one instance of its class. */
type Bind = (instance: object, contextId: ContextId) => Invoke;

const ALL_ENHANCERS = { guards: true, interceptors: true, filters: true };

/** The context creator provides the values of all parameters except custom ones. */
const PARAMETERS: ParamsFactory = { exchangeKeyForValue: () => undefined };

/**
 * Makes handlers callable: with the guards, interceptors, pipes and filters that apply to them, or directly if none
 * does. For singletons, this happens once; if anything in the chain is request-scoped or transient, it happens for
 * each call.
 */
export class HandlerInvoker {
  readonly #injector = new Injector();
  readonly #globals: GlobalEnhancers;
  readonly #nest: NestParts;
  readonly #consumer: HandlerInterceptorsConsumer;

  constructor(
    private readonly moduleRef: ModuleRef,
    modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    settings: ServerSettings,
    functions: FunctionCalls,
  ) {
    const container = moduleRef['container'];
    this.#globals = new GlobalEnhancers(config, settings.globalEnhancers);
    const isGlobal = (interceptor: object) => this.#globals.isGlobal(interceptor);
    this.#nest = { container, modules, config: this.#globals.config, isGlobal };
    this.#consumer = new HandlerInterceptorsConsumer(isGlobal);
    functions.serializeWith((...given) => this.serialize(...given));
  }

  /**
   * Makes a provider's or a controller's method callable.
   *
   * @throws {CatalogError} if an enhancer on the method would be skipped, or a parameter requires something that only
   * a route can provide
   */
  create(host: InstanceWrapper, methodName: string): Invoke {
    const handler = describeMethod(host, methodName);
    assertParametersServed(handler, findParameters(handler));
    assertEnhancersResolve(handler);
    const bind = this.#createBind(handler);
    const globals = this.#globals.scoped;
    const isStatic = !host.isTransient && host.isDependencyTreeStatic() && globals.length === 0;
    if (isStatic) return bind(host.instance as object, STATIC_CONTEXT);
    return async (args, context) => {
      const { instance, contextId } = await this.#load(handler, globals, context);
      return bind(instance, contextId)(args, context);
    };
  }

  /**
   * Runs global serializers on a function's result.
   *
   * @param origin the handler that it represents, whose decorators the enhancers read
   */
  serialize(run: () => unknown, context: McpContext, origin: CatalogEntry['origin'] = {}): unknown {
    const { serializers, scopedSerializers } = this.#globals;
    if (serializers.length + scopedSerializers.length === 0) return run();
    const method = (origin.method ?? run) as HandlerFunction;
    const instance = (origin.classRef as Type | undefined)?.prototype as object | undefined;
    const call = [new HandlerCall(undefined, context)];
    const next = async () => run();
    const intercept = (chosen: NestInterceptor[]) =>
      this.#consumer.intercept(chosen, call, instance ?? this, method, next, MCP_CONTEXT_TYPE);
    if (scopedSerializers.length === 0) return intercept(serializers);
    return this.#loadScoped(scopedSerializers, context).then((own) => intercept([...serializers, ...own]));
  }

  /** Creates the interceptors for one call without a handler. */
  async #loadScoped(wrappers: readonly InstanceWrapper[], context: McpContext): Promise<NestInterceptor[]> {
    const contextId: ContextId = ContextIdFactory.getByRequest(showRequest(context), []);
    this.moduleRef.registerRequestByContextId(context, contextId);
    const loading = wrappers.map(async (wrapper) => {
      if (wrapper.host !== undefined) await this.#injector.loadInjectable(wrapper, wrapper.host, contextId);
      return wrapper.getInstanceByContextId(contextId).instance as NestInterceptor;
    });
    return Promise.all(loading);
  }

  /**
   * Asserts that the application has the global enhancers selected in its options, and loads the serializer.
   *
   * @throws {McpConfigurationError} for a class that is not one of them
   */
  prepare(): void {
    this.#globals.assertPresent();
    loadSerializer();
  }

  /** Names the global enhancers that do not run on handlers. Returns `undefined` if all of them do. */
  listLeftOut(): string | undefined {
    return this.#globals.listLeftOut();
  }

  /**
   * Returns the decorator that configures serialization for a handler, if no serializer runs.
   *
   * @param decorated the method and its class
   */
  findUnservedSerializer(decorated: readonly object[]): string | undefined {
    const { serializers, scopedSerializers } = this.#globals;
    const isServed = serializers.length + scopedSerializers.length > 0 || hasOwnSerializer(decorated);
    return isServed ? undefined : findSerializerDecorator(decorated);
  }

  #createBind(handler: HandlerMethod): Bind {
    const isChained = hasEnhancers(handler) || this.#globals.isAny;
    return isChained ? this.#createChainedBind(handler) : this.#createDirectBind(handler);
  }

  #createDirectBind(handler: HandlerMethod): Bind {
    const parameters = findParameters(handler);
    const isDecorated = Object.keys(parameters).length > 0;
    const extracts = buildExtracts(handler, parameters, this.config);
    return (instance) => {
      const call: HandlerFunction = selectMethod(instance, handler.methodName).bind(instance);
      return isDecorated ? buildDecoratedCall(call, extracts) : buildDirectCall(call);
    };
  }

  #createChainedBind(handler: HandlerMethod): Bind {
    const { host, module, methodName } = handler;
    const parameters = findParameters(handler);
    const isDecorated = Object.keys(parameters).length > 0;
    const extracts = buildExtracts(handler, isDecorated ? parameters : POSITIONAL_PARAMETERS, this.config);
    const creator = new HandlerContextCreator(module.token, extracts, this.#nest);
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
      return (args, context) => call(new HandlerCall(args, context));
    };
  }

  /** Creates the instances for one call, in which providers inject the call as their request. */
  async #load({ host, module }: HandlerMethod, globals: readonly InstanceWrapper[], context: McpContext) {
    // The HTTP request's context id is not reused: calls in one request need separate instances.
    const contextId: ContextId = ContextIdFactory.getByRequest(showRequest(context), []);
    const { payload } = contextId;
    const request: unknown = host.isDependencyTreeDurable() ? payload : showRequest(context, payload);
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

function describeMethod(host: InstanceWrapper, methodName: string): HandlerMethod {
  const { host: module } = host;
  if (module === undefined) throw CatalogError.outsideModules(host.name);
  const classRef: Type = host.isNotMetatype ? host.instance.constructor : host.metatype;
  return { host, module, classRef, methodName, method: selectMethod(classRef.prototype, methodName) };
}

function selectMethod(owner: object, methodName: string): HandlerFunction {
  return (owner as { readonly [name: string]: HandlerFunction })[methodName] as HandlerFunction;
}
