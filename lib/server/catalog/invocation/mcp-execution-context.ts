import type { ArgumentsHost } from '@nestjs/common';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import { nameCaller } from '../../context/name-caller.js';
import { MCP_CONTEXT_TYPE } from '../../settings/mcp.constants.js';

/**
 * Gives guards, interceptors and exception filters access to the call of an MCP handler.
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
   * Reads the context that Nest gives to guards and interceptors (`ExecutionContext`) and to exception filters
   * (`ArgumentsHost`).
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

  /** Returns the arguments of a handler without parameter decorators, before pipes run. */
  getArguments(): OpenObject {
    return this.#host.switchToRpc().getData<OpenObject>();
  }

  /** Returns the context of the call. */
  getContext(): McpContext {
    return this.#host.switchToRpc().getContext<McpContext>();
  }

  /**
   * Returns the name under which limits count the call. With a token, it is made of the subject, or else of the client
   * of the token. Without a token, it is made of the address, of the session if everybody may share the address, or of
   * the transport. Two callers never have the same name. A caller does not get another name by opening a session.
   */
  getCaller(): string {
    return nameCaller(this.getContext());
  }
}
