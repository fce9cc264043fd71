import { Injectable } from '@nestjs/common';
import type { McpContext } from '../context/mcp-context.interface.js';
import type { ToolDefinition } from '../protocol/definitions.js';
import type { Encoded } from '../protocol/encode-definition.js';

/** Something that may stand around tool calls. */
export interface ToolCallInterceptor {
  interceptToolCall?(
    call: { readonly tool: ToolDefinition; readonly context: McpContext },
    next: () => Promise<Encoded>,
  ): Promise<Encoded>;
}

/** What extensions put around tool calls, the first outermost. */
@Injectable()
export class ToolCallInterceptors {
  readonly #interceptors: ToolCallInterceptor[] = [];

  add(interceptor: ToolCallInterceptor): void {
    if (interceptor.interceptToolCall !== undefined) this.#interceptors.push(interceptor);
  }

  /** Runs a call with all that stands around it. */
  run(tool: ToolDefinition, context: McpContext, call: () => Promise<Encoded>): Promise<Encoded> {
    if (this.#interceptors.length === 0) return call();
    return this.#interceptors.reduceRight<() => Promise<Encoded>>(
      (next, interceptor) => async () => interceptor.interceptToolCall?.({ tool, context }, next) ?? next(),
      call,
    )();
  }
}
