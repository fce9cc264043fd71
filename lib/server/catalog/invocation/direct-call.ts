import { isPromiseLike } from '../../../core/async/promises.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import type { Invoke, CatalogEntry } from '../entries.js';
import type { Extract } from './parameters.js';
import { from, isObservable, lastValueFrom, Observable, takeUntil, type ObservableInput } from 'rxjs';

/** A handler as a plain function. */
export type HandlerFunction = (...args: unknown[]) => unknown;

/** Calls a function with the arguments and the context, bypassing Nest's chain. */
export function buildDirectCall(handler: HandlerFunction): Invoke {
  return (args, context) => takeResult(handler(args, context), context);
}

/** Calls a method whose parameters have decorators, bypassing Nest's chain. */
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
 * @throws {Error} the signal's reason if it is aborted first; the Observable is then unsubscribed
 */
export function takeLastValue(values: ObservableInput<unknown>, signal: AbortSignal): Promise<unknown> {
  return lastValueFrom(from(values).pipe(takeUntil(failOnAbort(signal))), { defaultValue: undefined });
}

/** Resolves an Observable to its last value. Only then is the call's signal created. */
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

const SERIALIZED = new WeakSet<HandlerFunction>();

/** Marks a function whose results are already in their final form, so no serializer runs on them again. */
export function markSerialized<Handler extends (...args: never[]) => unknown>(handler: Handler): Handler {
  SERIALIZED.add(handler as unknown as HandlerFunction);
  return handler;
}

/** Runs global serializers on a function's result. */
export type Serialize = (run: () => unknown, context: McpContext, origin: CatalogEntry['origin']) => unknown;

/**
 * Makes catalog functions callable. The catalog can be injected before its server's options are known, but its
 * functions are called later.
 */
export class FunctionCalls {
  #serialize: Serialize = (run) => run();

  /** Runs serializers on functions from now on. */
  serializeWith(serialize: Serialize): void {
    this.#serialize = serialize;
  }

  /** Makes a function callable. Of the global enhancers, only serializers run on it. */
  create(handler: HandlerFunction): Invoke {
    const direct = buildDirectCall(handler);
    if (SERIALIZED.has(handler)) return direct;
    return (args, context) => this.#serialize(() => direct(args, context), context, { method: handler });
  }
}
