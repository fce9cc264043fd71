import type { ArgumentsHost } from '@nestjs/common';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import { MCP_CONTEXT_TYPE } from '../../settings/mcp.constants.js';

/**
 * Shows guards, interceptors and exception filters the call of an MCP handler.
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
   * Reads what Nest gives to guards and interceptors (`ExecutionContext`) and to exception filters (`ArgumentsHost`).
   *
   * @throws {TypeError} when it is not of the type `mcp`
   */
  static create(host: ArgumentsHost): McpExecutionContext {
    const type = host.getType<string>();
    if (type === MCP_CONTEXT_TYPE) return new McpExecutionContext(host);
    throw new TypeError(
      `The execution context is of type "${type}", not "${MCP_CONTEXT_TYPE}": ask "getType()" before reading it`,
    );
  }

  /** Gives the arguments as a handler without parameter decorators takes them, before pipes. */
  getArguments(): OpenObject {
    return this.#host.getArgByIndex<OpenObject>(2);
  }

  /** Gives the context of the call. */
  getContext(): McpContext {
    return this.#host.getArgByIndex<McpContext>(1);
  }
}
