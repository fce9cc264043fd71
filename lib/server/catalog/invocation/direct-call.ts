import { isPromiseLike } from '../../../core/async/promises.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import type { Invoke, CatalogEntry } from '../entries.js';
import type { Extract } from './parameters.js';
import { from, isObservable, lastValueFrom, Observable, takeUntil, type ObservableInput } from 'rxjs';

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

/**
 * Resolves to the last value of an Observable, or to `undefined` if it is empty.
 *
 * @throws {Error} the reason of the signal when it is aborted first: the Observable is unsubscribed from
 */
export function takeLastValue(values: ObservableInput<unknown>, signal: AbortSignal): Promise<unknown> {
  return lastValueFrom(from(values).pipe(takeUntil(failOnAbort(signal))), { defaultValue: undefined });
}

/** Resolves to the last value if a value is an Observable. Only then is the signal of the call created. */
export function settle(value: unknown, context: { readonly signal: AbortSignal }): unknown {
  return isObservable(value) ? takeLastValue(value, context.signal) : value;
}

function failOnAbort(signal: AbortSignal): Observable<never> {
  return new Observable((subscriber) => {
    const fail = () => subscriber.error(signal.reason);
    if (signal.aborted) return fail();
    signal.addEventListener('abort', fail, { once: true });
    return () => signal.removeEventListener('abort', fail);
  });
}

/** Runs global serializers on what a function gives. */
export type Serialize = (run: () => unknown, context: McpContext, origin: CatalogEntry['origin']) => unknown;

/**
 * Makes functions of the catalog callable. The catalog can be injected before the options of its server are known;
 * its functions are called later.
 */
export class FunctionCalls {
  #serialize: Serialize = (run) => run();

  /** Has serializers run on functions from now on. */
  serializeWith(serialize: Serialize): void {
    this.#serialize = serialize;
  }

  /** Makes a function callable. Of the global enhancers, only serializers run on it. */
  create(handler: HandlerFunction): Invoke {
    const direct = buildDirectCall(handler);
    return (args, context) => this.#serialize(() => direct(args, context), context, { method: handler });
  }
}
