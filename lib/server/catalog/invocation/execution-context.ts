import type { ArgumentsHost, ExecutionContext } from '@nestjs/common';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import { nameCaller } from '../../context/caller-identity.js';
import { MCP_CONTEXT_TYPE } from '../../settings/mcp.constants.js';
import { HandlerResponse } from './response/handler-response.js';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { isObject } from '../../../core/protocol/json-rpc.js';

/**
 * Gives guards, interceptors and exception filters access to an MCP handler call.
 *
 * @example
 * canActivate(context: ExecutionContext): boolean {
 *   if (context.getType<string>() !== 'mcp') return true;
 *   return McpExecutionContext.create(context).getContext().client.info?.name === 'desk';
 * }
 */
export class McpExecutionContext {
  readonly #host: ArgumentsHost;

  private constructor(host: ArgumentsHost) {
    this.#host = host;
  }

  /**
   * Reads the context that Nest passes to guards and interceptors (`ExecutionContext`) and to exception filters
   * (`ArgumentsHost`).
   *
   * @throws {TypeError} if its type is not `mcp`
   */
  static create(host: ArgumentsHost): McpExecutionContext {
    const type = host.getType<string>();
    if (type === MCP_CONTEXT_TYPE) return new McpExecutionContext(host);
    throw new TypeError(
      `The execution context is of type "${type}", not "${MCP_CONTEXT_TYPE}": check "getType()" before reading it`,
    );
  }

  /** Returns the handler's arguments as they are without parameter decorators, before pipes run. */
  getArguments(): OpenObject {
    return this.#host.switchToRpc().getData<OpenObject>();
  }

  /** Returns the call's context. */
  getContext(): McpContext {
    return this.#host.switchToRpc().getContext<McpContext>();
  }

  /**
   * Returns the name under which limits count the call. It is based on the token's subject, or else its client.
   * Without a token, it is based on the address, the session if all callers may share the address, or the transport.
   * Two callers never have the same name, and opening a session does not change it.
   */
  getCaller(): string {
    return nameCaller(this.getContext());
  }
}

/** One handler call, which Nest's chain passes along. */
export class HandlerCall {
  #response: HandlerResponse | undefined;
  #graphqlContext: HandlerResponse | undefined;

  constructor(
    /** The handler's arguments. */
    readonly args: unknown,
    readonly context: McpContext,
  ) {}

  /**
   * The call's HTTP request; `undefined` on other transports. It never contains the arguments, because a guard that
   * reads the user from the request would trust caller-supplied values.
   */
  get request(): unknown {
    return this.context.http?.request;
  }

  /** The stand-in for the HTTP response, created on first access. */
  get response(): HandlerResponse {
    return (this.#response ??= new HandlerResponse(this.context, this.request));
  }

  /** The same response, with the properties that GraphQL code reads from its context. */
  get graphqlContext(): HandlerResponse {
    return (this.#graphqlContext ??= showGraphqlContext(this.response));
  }

  /** The stand-in for the HTTP response, if it was accessed. */
  get usedResponse(): HandlerResponse | undefined {
    return this.#response;
  }
}

type HttpHost = ReturnType<ExecutionContextHost['switchToHttp']>;
type RpcHost = ReturnType<ExecutionContextHost['switchToRpc']>;
type SocketHost = ReturnType<ExecutionContextHost['switchToWs']>;

/** The arguments that Nest passes to a route handler. Some enhancers depend on them. */
type HttpArguments = [request: unknown, response: unknown, next: unknown];

/** A handler call as guards, interceptors, filters and parameter decorators see it. */
export class HandlerExecutionContext extends ExecutionContextHost {
  constructor(
    readonly call: HandlerCall,
    host: Partial<ExecutionContext>,
  ) {
    super([call], host.getClass?.(), host.getHandler?.());
    this.setType(MCP_CONTEXT_TYPE);
  }

  /** Converts the context that Nest has created for a guard, an interceptor, a filter or a parameter. */
  static from(host: ArgumentsHost & Partial<ExecutionContext>): HandlerExecutionContext {
    const [call] = host.getArgs<[HandlerCall]>();
    return new HandlerExecutionContext(call, host);
  }

  /** The response also serves as the GraphQL context, which `GqlExecutionContext` reads from here. */
  override getArgs(): never {
    const { request, response, graphqlContext } = this.call;
    const args: HttpArguments = [request, graphqlContext, response.next];
    return args as never;
  }

  override getArgByIndex(index: number): never {
    if (index === 0) return this.call.request as never;
    const { response } = this.call;
    const args: HttpArguments = [this.call.request, response, response.next];
    return args[index] as never;
  }

  /** Returns the call's HTTP request, if there is one, and a stand-in for its response. */
  override switchToHttp(): HttpHost {
    return Object.assign(this, {
      getRequest: () => this.call.request as never,
      getResponse: () => this.call.response as never,
      getNext: () => this.call.response.next as never,
    });
  }

  /** Returns the arguments as data, and the context. */
  override switchToRpc(): RpcHost {
    return Object.assign(this, {
      getData: () => this.call.args as never,
      getContext: () => this.call.context as never,
    });
  }

  /** Returns the arguments as data, and no client, because there is no socket. */
  override switchToWs(): SocketHost {
    return Object.assign(this, {
      getClient: () => undefined as never,
      getData: () => this.call.args as never,
      getPattern: () => this.call.context.method,
    });
  }
}

/** Properties that identify a GraphQL subscription context, which code must not find here. */
const ABSENT: ReadonlySet<PropertyKey> = new Set(['headers', 'connection', 'extra', 'subscriptions']);

/**
 * Presents a call's response as a GraphQL context: `GqlExecutionContext.create(context).getContext()` returns a
 * route's second argument. The properties `req`, `res`, `request`, `reply` and `user` match the contexts of Nest's
 * drivers. Assigned properties are visible only in this call, and methods are bound to the response.
 */
function showGraphqlContext(response: HandlerResponse): HandlerResponse {
  const { req } = response;
  const members = new Map<PropertyKey, unknown>([
    ['req', req],
    ['request', req],
    ['res', response],
    ['reply', response],
    ['response', response],
  ]);
  const methods = new Map<PropertyKey, unknown>();

  function read(name: PropertyKey): unknown {
    if (members.has(name)) return members.get(name);
    if (ABSENT.has(name)) return undefined;
    if (name === 'user' && !Object.hasOwn(response, name)) return isObject(req) ? req['user'] : undefined;
    const value: unknown = Reflect.get(response, name, response);
    if (typeof value !== 'function') return value;
    // Methods work only on their own object.
    if (!methods.has(name)) methods.set(name, value.bind(response));
    return methods.get(name);
  }

  return new Proxy(response, {
    get: (_response, name) => read(name),
    set: (_response, name, value) => {
      const isOwn = members.has(name) || ABSENT.has(name);
      if (isOwn) members.set(name, value);
      return isOwn || Reflect.set(response, name, value, response);
    },
    has: (_response, name) => members.has(name) || name === 'user' || (!ABSENT.has(name) && name in response),
  });
}
