import type { ToolDefinition } from '../../core/protocol/definitions.js';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import type { ToolEntry } from '../catalog/entries.js';
import type { RequestContext } from '../context/request-context.js';
import type { ToolOptions } from '../settings/handler-options.interface.js';

/** A call, as its interceptors see it. */
export interface ToolCall {
  readonly tool: ToolDefinition;
  /** The options of the tool. */
  readonly options: ToolOptions;
  readonly context: RequestContext;
}

/** Something that may stand around tool calls. */
export interface ToolCallInterceptor {
  interceptToolCall?(call: ToolCall, next: () => Promise<Encoded>): Promise<Encoded>;
}

/** What extensions put around tool calls, the first outermost. */
export class ToolCallInterceptors {
  readonly #interceptors: ToolCallInterceptor[] = [];

  add(interceptor: ToolCallInterceptor): void {
    if (interceptor.interceptToolCall !== undefined) this.#interceptors.push(interceptor);
  }

  /** Runs a call with all interceptors, except the one that makes the call. */
  run(
    { definition: tool, options }: ToolEntry,
    context: RequestContext,
    call: () => Promise<Encoded>,
  ): Promise<Encoded> {
    if (this.#interceptors.length === 0) return call();
    return this.#interceptors.reduceRight<() => Promise<Encoded>>((next, interceptor) => {
      if (interceptor === context.hosting?.maker) return next;
      return async () => interceptor.interceptToolCall?.({ tool, options, context }, next) ?? next();
    }, call)();
  }
}
