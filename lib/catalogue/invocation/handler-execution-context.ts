import type { ArgumentsHost, ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import { MCP_CONTEXT_TYPE } from '../../settings/mcp.constants.js';

/** The arguments of a handler and the context of its call. */
type CallArguments = [args: unknown, context: McpContext];

type HttpHost = ReturnType<ExecutionContextHost['switchToHttp']>;
type RpcHost = ReturnType<ExecutionContextHost['switchToRpc']>;
type SocketHost = ReturnType<ExecutionContextHost['switchToWs']>;

/**
 * The call of a handler as guards, interceptors, filters and parameter decorators see it. Nest gives the first argument for
 * the request: of a handler that is what the caller wrote, and a guard that asks it for the user would believe the caller.
 */
export class HandlerExecutionContext extends ExecutionContextHost {
  /** Takes over what Nest has made for a guard, an interceptor, a filter or a parameter. */
  static from(host: ArgumentsHost & Partial<ExecutionContext>): HandlerExecutionContext {
    const call = new HandlerExecutionContext(host.getArgs(), host.getClass?.(), host.getHandler?.());
    call.setType(MCP_CONTEXT_TYPE);
    return call;
  }

  /** Gives the request that the call came by; nothing where that was none of HTTP. Its response is ours to write. */
  override switchToHttp(): HttpHost {
    const [, { http }] = this.getArgs<CallArguments>();
    return Object.assign(this, {
      getRequest: () => http?.request as never,
      getResponse: nothing,
      getNext: nothing,
    });
  }

  /** Gives the arguments as data, and the context. */
  override switchToRpc(): RpcHost {
    const [args, context] = this.getArgs<CallArguments>();
    return Object.assign(this, {
      getData: () => args as never,
      getContext: () => context as never,
    });
  }

  /** Gives the arguments as data, and no client: there is no socket. */
  override switchToWs(): SocketHost {
    const [args, { method }] = this.getArgs<CallArguments>();
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
