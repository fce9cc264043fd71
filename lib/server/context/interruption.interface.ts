/** How a request ends before its handler does: with a failure, with a result, or with nothing to answer. */
export interface Interruption {
  readonly failure?: Error;
  readonly result?: Record<string, unknown>;
}

/** Is called if a request ends before its handler. */
export type InterruptListener = (interruption: Interruption) => void;
