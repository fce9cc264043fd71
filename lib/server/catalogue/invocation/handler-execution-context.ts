import type { ArgumentsHost, ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import { MCP_CONTEXT_TYPE } from '../../settings/mcp.constants.js';

/** What Nest's chain is called with. */
export type CallArguments = [request: unknown, context: McpContext, args: unknown];

/**
 * Gives Nest's chain what it is called with. It takes what comes first for the request: if that were the arguments, a guard
 * that asks the request for its user would believe whatever the caller wrote.
 */
export function buildCallArguments(args: unknown, context: McpContext): CallArguments {
  return [context.http?.request, context, args];
}

type HttpHost = ReturnType<ExecutionContextHost['switchToHttp']>;
type RpcHost = ReturnType<ExecutionContextHost['switchToRpc']>;
type SocketHost = ReturnType<ExecutionContextHost['switchToWs']>;

/** The call of a handler as guards, interceptors, filters and parameter decorators see it. */
export class HandlerExecutionContext extends ExecutionContextHost {
  /** Takes over what Nest has made for a guard, an interceptor, a filter or a parameter. */
  static from(host: ArgumentsHost & Partial<ExecutionContext>): HandlerExecutionContext {
    const call = new HandlerExecutionContext(host.getArgs(), host.getClass?.(), host.getHandler?.());
    call.setType(MCP_CONTEXT_TYPE);
    return call;
  }

  /** Gives the request that the call came by; nothing where that was none of HTTP. Its response is ours to write. */
  override switchToHttp(): HttpHost {
    const [request] = this.getArgs<CallArguments>();
    return Object.assign(this, {
      getRequest: () => request as never,
      getResponse: nothing,
      getNext: nothing,
    });
  }

  /** Gives the arguments as data, and the context. */
  override switchToRpc(): RpcHost {
    const [, context, args] = this.getArgs<CallArguments>();
    return Object.assign(this, {
      getData: () => args as never,
      getContext: () => context as never,
    });
  }

  /** Gives the arguments as data, and no client: there is no socket. */
  override switchToWs(): SocketHost {
    const [, { method }, args] = this.getArgs<CallArguments>();
    return Object.assign(this, {
      getClient: nothing,
      getData: () => args as never,
      getPattern: () => method,
    });
  }
}

function nothing(): never {
  return undefined as never;
}
