import { isPromiseLike } from '../../../core/waiting/is-promise-like.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import type { Invoke } from '../entries.js';
import type { Extract } from './parameters.js';
import { settle } from './take-last-value.js';

/** A handler as a plain function. */
export type HandlerFunction = (...args: unknown[]) => unknown;

/** Calls a function with the arguments and the context, without any part of Nest's chain. */
export function buildDirectCall(handler: HandlerFunction): Invoke {
  return (args, context) => takeResult(handler(args, context), context);
}

/** Calls a method whose parameters have decorators, without any part of Nest's chain. */
export function buildDecoratedCall(handler: HandlerFunction, extracts: readonly Extract[]): Invoke {
  return (args, context) =>
    takeResult(handler(...extracts.map((extract) => extract(args, context))), context);
}

/** A value that is not a promise is not awaited. */
function takeResult(value: unknown, context: McpContext): unknown {
  return isPromiseLike(value) ? settleLater(value, context) : settle(value, context);
}

async function settleLater(promise: PromiseLike<unknown>, context: McpContext): Promise<unknown> {
  return settle(await promise, context);
}
