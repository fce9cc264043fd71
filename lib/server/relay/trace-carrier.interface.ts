/** What names a span to another process, as headers would. */
export type CarriedTrace = { readonly [name: string]: string };

/** Keeps the trace of a client whole if its message continues in another process. */
export interface TraceCarrier {
  /** Names the span that is active here. Returns `undefined` if none is. */
  carry(): CarriedTrace | undefined;
  /** Runs a function as part of what another process named. */
  resume<Result>(carried: CarriedTrace, act: () => Result): Result;
}
