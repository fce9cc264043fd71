import { from, isObservable, lastValueFrom, Observable, takeUntil, type ObservableInput } from 'rxjs';

/**
 * Takes the last value of an Observable; none counts as `undefined`.
 *
 * @throws {Error} the reason of the signal when it is aborted first: the Observable is unsubscribed from
 */
export function takeLastValue(values: ObservableInput<unknown>, signal: AbortSignal): Promise<unknown> {
  return lastValueFrom(from(values).pipe(takeUntil(failOnAbort(signal))), { defaultValue: undefined });
}

/** Takes the last value of a possible Observable. The signal of a call is created only if the value is one. */
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
