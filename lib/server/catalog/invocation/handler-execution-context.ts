import type { ArgumentsHost, ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { MCP_CONTEXT_TYPE } from '../../settings/mcp.constants.js';
import type { HandlerCall } from './handler-call.js';

type HttpHost = ReturnType<ExecutionContextHost['switchToHttp']>;
type RpcHost = ReturnType<ExecutionContextHost['switchToRpc']>;
type SocketHost = ReturnType<ExecutionContextHost['switchToWs']>;

/** The arguments with which Nest calls the handler of a route. Some enhancers depend on them. */
type HttpArguments = [request: unknown, response: unknown, next: unknown];

/** The call of a handler as guards, interceptors, filters and parameter decorators see it. */
export class HandlerExecutionContext extends ExecutionContextHost {
  constructor(
    readonly call: HandlerCall,
    host: Partial<ExecutionContext>,
  ) {
    super([call], host.getClass?.(), host.getHandler?.());
    this.setType(MCP_CONTEXT_TYPE);
  }

  /** Takes over what Nest has made for a guard, an interceptor, a filter or a parameter. */
  static from(host: ArgumentsHost & Partial<ExecutionContext>): HandlerExecutionContext {
    const [call] = host.getArgs<[HandlerCall]>();
    return new HandlerExecutionContext(call, host);
  }

  /** The response is shown as the context of GraphQL too: `GqlExecutionContext` takes it from here. */
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

  /** Returns the HTTP request of the call, if there is one, and a stand-in for its response. */
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

  /** Returns the arguments as data, and no client: there is no socket. */
  override switchToWs(): SocketHost {
    return Object.assign(this, {
      getClient: () => undefined as never,
      getData: () => this.call.args as never,
      getPattern: () => this.call.context.method,
    });
  }
}
