import { from, isObservable, lastValueFrom, map, takeUntil, timer } from 'rxjs';

/** Says that nobody waits any longer for a guard. */
export class SlowGuardError extends Error {
  override readonly name = 'SlowGuardError';

  constructor(longestMs: number) {
    super(`The guard of the explorer did not decide within ${longestMs} ms`);
  }
}

/**
 * Returns what a guard decides: it may return a value, a promise or an Observable. Whoever waits for it holds a
 * connection, so nobody waits for ever.
 *
 * @throws {SlowGuardError} if the guard takes longer
 */
export async function awaitDecision(answer: unknown, longestMs: number): Promise<unknown> {
  const decision$ = isObservable(answer) ? answer : from(Promise.resolve(answer));
  const tooLate$ = timer(longestMs).pipe(
    map(() => {
      throw new SlowGuardError(longestMs);
    }),
  );
  return lastValueFrom(decision$.pipe(takeUntil(tooLate$)));
}
